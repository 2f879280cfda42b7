import { CommandError } from '../errors/errors.ts';
import type { ForwardedAttempt } from '../views/forwarded.ts';
import type { Outgoing } from './envelope.ts';
import { forward, type Forwarding, type Send } from './forward.ts';

/** A number of slots. Whoever asks for one more waits until one is free. */
class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes a slot to the first that waits. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Limits the calls of a sender that are under way. Further calls wait. */
function atMost(count: number, send: Send): Send {
  const slots = new Slots(count);
  return async (...call) => {
    await slots.take();
    try {
      return await send(...call);
    } finally {
      slots.release();
    }
  };
}

/** Reports how far a list of tasks is done without a gap, in whatever order they end. Resuming after a gap would lose tasks. */
function inOrder(done: (id: string) => Promise<void>): (id: string) => () => Promise<void> {
  const open: { id: string; finished: boolean }[] = [];
  return (id) => {
    const entry = { id, finished: false };
    open.push(entry);
    return async () => {
      entry.finished = true;
      let last: string | undefined;
      while (open[0]?.finished) last = open.shift()?.id;
      if (last !== undefined) await done(last);
    };
  };
}

/** Merges the products of several tasks, in the order in which they come. */
class Channel<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the channel: no more items will come. An error is thrown after the last item. */
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

/** Calls that are under way at the same time: one call that hangs must not hold up all later ones. */
const CONCURRENCY = 8;

/** Events in memory, most of which wait for a retry when a receiver fails. The others stay on the server until one is done. */
const MAX_OPEN = 1_000;

/** An event on its way. */
export type OutgoingEvent = Outgoing & { readonly eventId: string };

interface Pumping {
  readonly forwarding: Forwarding;
  /** Called when everything up to this event has been handled. */
  readonly handled: (eventId: string) => Promise<void>;
  readonly exitOnFail: boolean;
}

/** Forwards events as they come, several at a time, while others wait for their next attempt. Yields every attempt. */
export function pump(
  events: AsyncIterable<OutgoingEvent>,
  { forwarding, handled, exitOnFail }: Pumping,
): AsyncIterable<ForwardedAttempt> {
  const attempts = new Channel<ForwardedAttempt>();
  const limited = { ...forwarding, send: atMost(CONCURRENCY, forwarding.send) };
  const begin = inOrder(handled);

  async function forwardOne(event: OutgoingEvent, finish: () => Promise<void>): Promise<void> {
    let delivered = false;
    for await (const attempt of forward(event, limited)) {
      attempts.push(attempt);
      ({ delivered } = attempt);
    }
    if (forwarding.signal.aborted) return;
    await finish();
    if (!delivered && exitOnFail) {
      throw new CommandError('check_failed', `The last attempt for ${event.eventId} failed.`);
    }
  }

  async function forwardAll(): Promise<void> {
    const open = new Set<Promise<void>>();
    const slots = new Slots(MAX_OPEN);
    try {
      for await (const event of events) {
        await slots.take();
        const work = forwardOne(event, begin(event.eventId))
          .then(() => void open.delete(work))
          .finally(() => slots.release());
        open.add(work);
        work.catch((error: Error) => attempts.end(error));
      }
      await Promise.all(open);
    } finally {
      if (forwarding.signal.aborted) await Promise.allSettled(open);
    }
  }

  forwardAll().then(
    () => attempts.end(),
    (error: Error) => attempts.end(error),
  );
  return attempts;
}
