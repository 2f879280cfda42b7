/** Counts the records of CSV that comes in pieces. A line break inside quotes does not end a record. */
export class CsvRecords {
  #quoted = false;
  #ended = 0;

  add(text: string): number {
    const before = this.#ended;
    for (const [mark] of text.matchAll(/["\n]/g)) {
      if (mark === '"') this.#quoted = !this.#quoted;
      else if (!this.#quoted) this.#ended += 1;
    }
    return this.#ended - before;
  }

  /** The number of records, without the header. */
  get count(): number {
    return Math.max(0, this.#ended - 1);
  }
}
