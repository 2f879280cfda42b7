import type { Store } from '../db/core/store.ts';

const EVERY_MS = 1_000;

/**
 * Calls `changed` within a second after another program has committed, such as `hubline server retry-job`. Asking SQLite takes a
 * microsecond. Returns the function that ends it.
 */
export function watchCommits(
  { foreignVersion }: Pick<Store, 'foreignVersion'>,
  changed: () => void,
): () => void {
  if (!foreignVersion) return () => {};
  let known = foreignVersion();
  const timer = setInterval(() => {
    const before = known;
    try {
      known = foreignVersion();
    } catch {
      // A disk that fails or a lock: requests report it. The next question may be answered.
    }
    if (known !== before) changed();
  }, EVERY_MS);
  return () => clearInterval(timer);
}
