/** What several tasks produce, in the order in which it comes. */
export class Channel<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** No more will come; with an error, it is thrown behind the last item. */
  end(error?: Error): void {
    this.#ended = true;
    this.#error ??= error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as Item;
      if (this.#ended) {
        if (this.#error) throw this.#error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
