import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then, requests that waited for the start have their responses. */
const SOON_MS = 2_000;
/** The growth of old memory after a collection that begins the next one, in percent of what is in use. V8 allows 300. */
const GROWTH = 125;

/**
 * Collects garbage once, soon after the start, and lets V8 collect sooner from then on. V8 collects when memory is requested, so an idle
 * server would keep forever the 17 MB that only its start needed; this pauses the process once for 40 to 90 ms. Under a flood of requests,
 * old memory would grow to four times what is in use.
 */
export function settleHeapSoon(): void {
  setTimeout(settleHeap, SOON_MS).unref();
}

export function settleHeap(): void {
  // As flags of the command line, they would invalidate the compiled code in the single-file program.
  setFlagsFromString('--expose-gc');
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  (runInNewContext('gc') as () => void)();
}
