import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then, requests that waited for the start have their responses. */
const SOON_MS = 2_000;

/**
 * Collects garbage once, soon after the start. V8 collects when memory is requested, so an idle server would keep forever the 17 MB
 * that only its start needed. It pauses the process once for 40 to 90 ms.
 */
export function collectSoon(): void {
  const collect = (): void => {
    // As a flag of the command line, it would invalidate the compiled code in the one-file program.
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  };
  setTimeout(collect, SOON_MS).unref();
}
