interface Entry<Item> {
  at: number;
  item: Item;
}

/** Things to do, each at its time. Of those at the same time, the first that was added comes first. */
export class Agenda<Item> {
  /** Latest first, so that the next is taken from the end. */
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

  /** Takes the next thing to do up to that time off the agenda; `undefined` if there is none. */
  take(until: number): Entry<Item> | undefined {
    const next = this.#entries.at(-1);
    return next && next.at <= until ? this.#entries.pop() : undefined;
  }

  /** Everything that is left. */
  get rest(): readonly Item[] {
    return this.#entries.map(({ item }) => item);
  }
}
