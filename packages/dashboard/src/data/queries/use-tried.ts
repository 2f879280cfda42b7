import { isAbortError } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Long enough for a word, short enough to look live. */
const PAUSE_MS = 300;

interface Tried<T> {
  readonly data?: T;
  readonly error?: unknown;
}

/**
 * The server's answer to something while one types: asked after each pause, whenever `key` changes; the last answer stays
 * in the meantime. `undefined` for a key asks nothing.
 */
export function useTried<T>(ask: (signal: AbortSignal) => PromiseLike<T>, key: string | undefined): Tried<T> {
  const tried = useSignal<Tried<T>>({});
  useEffect(() => {
    if (key === undefined) return;
    const abort = new AbortController();
    async function run(): Promise<void> {
      try {
        tried.value = { data: await ask(abort.signal) };
      } catch (error) {
        if (!isAbortError(error)) tried.value = { error };
      }
    }
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return tried.value;
}
