const STATEMENTS_MAX = 500;

/**
 * Names the statements that come again, so that every connection prepares them once: to parse and plan the insert of an event costs
 * PostgreSQL more than to carry it out. What comes once, such as a list of ids of another length each time, gets no name.
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
