interface Entry<Item> {
  at: number;
  item: Item;
}

/** A queue of items by time. Items at the same time come in the order in which they were added. */
export class Agenda<Item> {
  /** Latest first, so that the next item is at the end. */
  readonly #entries: Entry<Item>[] = [];

  add(at: number, item: Item): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { at, item });
  }

  /** Removes and returns the next item up to that time; `undefined` if there is none. */
  take(until: number): Entry<Item> | undefined {
    const next = this.#entries.at(-1);
    return next && next.at <= until ? this.#entries.pop() : undefined;
  }

  /** The remaining items. */
  get rest(): readonly Item[] {
    return this.#entries.map(({ item }) => item);
  }
}
