import { effect, untracked } from '@preact/signals';
import { visible } from './use-visible.ts';

/** Follows a stream until it ends or the signal aborts; may be called again afterward. Never rejects. */
type Follow = (signal: AbortSignal) => Promise<void>;

/** Browsers allow six connections to a host over HTTP/1.1. All windows together hold four of them, and leave two for requests. */
const SLOTS = ['hubline.live.0', 'hubline.live.1', 'hubline.live.2', 'hubline.live.3'];
/** The lock of the queue: its holder waits for a slot, all others wait for the lock. */
const QUEUE = 'hubline.live.queue';
/** With more streams than slots, each is followed this long before it leaves its slot to the first in the queue. */
const TURN_MS = 2_000;

/**
 * Keeps a long connection open while the window is visible. The connection ends within the event that hides the page, because a
 * page that the browser keeps for Back runs no code after it. Returns a function that ends it for good.
 */
export function whileVisible(follow: Follow): () => void {
  return effect(() => {
    if (!visible.value) return undefined;
    const abort = new AbortController();
    untracked(() => void inTurn(follow, abort.signal).catch(() => undefined));
    return () => abort.abort();
  });
}

/** Follows a stream until it ends, in turns with all others. */
async function inTurn(follow: Follow, ends: AbortSignal): Promise<void> {
  // Locks are absent only from a page that comes over plain HTTP from another machine.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return follow(ends);
  while (!ends.aborted) {
    const leave = await locks.request(QUEUE, { signal: ends }, () => takeSlot(locks, ends));
    const turn = new AbortController();
    async function makeRoom(): Promise<void> {
      const { pending = [] } = await navigator.locks.query();
      if (pending.some(({ name = '' }) => SLOTS.includes(name))) turn.abort();
    }
    const timer = setInterval(() => void makeRoom(), TURN_MS);
    await follow(AbortSignal.any([ends, turn.signal]));
    clearInterval(timer);
    leave();
    if (!turn.signal.aborted) return;
  }
}

/** Takes the first slot that is free. Returns a function that leaves it. */
function takeSlot(locks: LockManager, ends: AbortSignal): Promise<() => void> {
  const taken = new AbortController();
  const signal = AbortSignal.any([ends, taken.signal]);
  const { promise, resolve } = Promise.withResolvers<() => void>();
  const asked = SLOTS.map((slot) =>
    locks.request(slot, { signal }, () => {
      // Two may become free at once.
      if (signal.aborted) return undefined;
      taken.abort();
      return new Promise<void>(resolve);
    }),
  );
  // Rejects when `ends` aborts, because then every request has rejected.
  return Promise.race([promise, Promise.any(asked).then(() => promise)]);
}
