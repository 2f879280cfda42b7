const STATEMENTS_MAX = 500;
// Longer ones are lists of values, which differ each time. With this limit, the texts take at most 4 MB.
const CHARACTERS_MAX = 4_096;

/**
 * Names the statements that are repeated, so that every connection prepares them once: parsing and planning the insert of an event
 * costs PostgreSQL more than running it. A statement that occurs only once, such as one with filters that nobody else uses, gets no name
 * and uses none up: callers must not be able to exhaust the names.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  /** Statements that have occurred once. */
  readonly #once = new Set<string>();
  #off = false;

  /** Gives out no names anymore: a pooler in between may run a statement in another session than the one that prepared it. */
  turnOff(): void {
    this.#off = true;
  }

  of(text: string): string | undefined {
    if (this.#off) return undefined;
    const name = this.#names.get(text);
    if (name !== undefined || text.length > CHARACTERS_MAX) return name;
    if (this.#once.delete(text)) {
      if (this.#names.size < STATEMENTS_MAX) this.#names.set(text, `hubline_${this.#names.size}`);
      return this.#names.get(text);
    }
    if (this.#once.size >= STATEMENTS_MAX) this.#once.clear();
    this.#once.add(text);
    return undefined;
  }
}
