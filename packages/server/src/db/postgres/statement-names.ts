const STATEMENTS_MAX = 500;

/**
 * Names the statements that are repeated, so that every connection prepares them once: parsing and planning the insert of an event
 * costs PostgreSQL more than running it. A statement that comes once, such as one with a list of ids of a new length, gets no name.
 */
export class StatementNames {
  readonly #seen = new Map<string, string>();

  of(text: string): string | undefined {
    const name = this.#seen.get(text);
    if (name === undefined && this.#seen.size < STATEMENTS_MAX)
      this.#seen.set(text, `hubline_${this.#seen.size}`);
    return name;
  }
}
