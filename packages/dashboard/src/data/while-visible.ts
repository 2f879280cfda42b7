import { effect, untracked } from '@preact/signals';
import { visible } from './use-visible.ts';

/** Follows something until it is over or the signal aborts; may begin again afterwards. Never rejects. */
type Follow = (signal: AbortSignal) => Promise<void>;

/** Browsers allow six connections to a host, over HTTP/1.1. All windows together hold this many, and leave two for requests. */
const PLACES = 4;
/** With more to follow than places, each is followed at least this long before it lets another have its place. */
const TURN_MS = 2_000;

/**
 * Keeps a connection of long duration open while the window can be seen. It ends in the very event that hides the page: a page
 * that is kept for the way back runs no later step. Returns a function that ends it for good.
 */
export function whileVisible(follow: Follow): () => void {
  return effect(() => {
    if (!visible.value) return undefined;
    const abort = new AbortController();
    untracked(() => void inTurn(follow, abort.signal).catch(() => undefined));
    return () => abort.abort();
  });
}

/** Follows in a free place, or waits for one of them, until it is over. */
async function inTurn(follow: Follow, ends: AbortSignal): Promise<void> {
  // Absent only where a page over plain HTTP comes from another machine.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return follow(ends);
  const first = Math.floor(Math.random() * PLACES);
  for (let tries = 0; !ends.aborted; tries++) {
    const name = `hubline.live.${(first + tries) % PLACES}`;
    const wait = tries < PLACES ? { ifAvailable: true } : { signal: ends };
    const isOver = await locks.request(name, wait, async (lock) => {
      if (!lock) return undefined;
      const turn = new AbortController();
      async function makeRoom(): Promise<void> {
        const { pending } = await navigator.locks.query();
        if (pending?.some((each) => each.name === name)) turn.abort();
      }
      const timer = setInterval(() => void makeRoom(), TURN_MS);
      await follow(AbortSignal.any([ends, turn.signal]));
      clearInterval(timer);
      return !turn.signal.aborted;
    });
    if (isOver) return;
    if (isOver === false) tries = -1;
  }
}
