/** The result of `work`, or the reason of the signal if that comes first. */
export async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody waits for the work any longer: its failure must not count as an unhandled rejection.
    work.catch(() => undefined);
    throw signal.reason;
  }
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Yields `items` until the signal aborts, and then throws its reason. */
export async function* interruptibleItems<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await interruptible(iterator.next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // Not awaited: a generator that waits for its next item returns only when that item comes.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
