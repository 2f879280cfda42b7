/** Items by time, the earliest first. An entry that no longer matters is left in and skipped by its reader. */
export class DueHeap<Item> {
  readonly #entries: { at: number; item: Item }[] = [];

  push(at: number, item: Item): void {
    const entries = this.#entries;
    let index = entries.length;
    entries.push({ at, item });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) break;
      this.#swap(parent, index);
      index = parent;
    }
  }

  /** The earliest time; `null` when empty. */
  get earliest(): number | null {
    return this.#entries[0]?.at ?? null;
  }

  /** Removes and returns the earliest entry that is not later than `now`. */
  popDue(now: number): { at: number; item: Item } | null {
    const [first] = this.#entries;
    if (!first || first.at > now) return null;
    const last = this.#entries.pop();
    if (last && this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (this.#at(left) < this.#at(least)) least = left;
      if (this.#at(right) < this.#at(least)) least = right;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #at(index: number): number {
    return this.#entries[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const entries = this.#entries;
    const first = entries[a];
    const second = entries[b];
    if (!first || !second) return;
    entries[a] = second;
    entries[b] = first;
  }
}
