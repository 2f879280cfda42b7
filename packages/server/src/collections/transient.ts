// A map is copied after this many additions, or, if it is large, after twice as many as it has entries.
const ADDITIONS = 256;

/**
 * A `Map` for short-lived entries, such as requests under way.
 *
 * V8's `Map` moves to a new table when its own is full. The former table keeps its entries, and points to the next one. V8's scavenger
 * treats everything in old memory as alive: once one of these tables is there, the tables after it survive, too, with their entries. Each
 * request for an event copied 3 KB to old memory, which took most of the collector's time (measured). A new `Map` is not in that chain.
 */
export class TransientMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #additions = 0;

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#additions += 1;
    if (this.#additions > ADDITIONS && this.#additions > 2 * this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#additions = 0;
    }
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries = new Map();
  }

  /** The entries in the order of their addition, mostly without those that are added meanwhile. */
  entries(): MapIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  /** The values in the order of their addition, mostly without those that are added meanwhile. */
  values(): MapIterator<Value> {
    return this.#entries.values();
  }

  /** The value that was added first. */
  get first(): Value | undefined {
    for (const value of this.#entries.values()) return value;
    return undefined;
  }
}

/** A `Set` for short-lived items: see {@link TransientMap}. */
export class TransientSet<Item> {
  readonly #items = new TransientMap<Item, Item>();

  get size(): number {
    return this.#items.size;
  }

  add(item: Item): void {
    this.#items.set(item, item);
  }

  delete(item: Item): boolean {
    return this.#items.delete(item);
  }

  /** The items in the order of their addition, mostly without those that are added meanwhile. */
  values(): MapIterator<Item> {
    return this.#items.values();
  }

  /** The item that was added first. */
  get first(): Item | undefined {
    return this.#items.first;
  }
}
