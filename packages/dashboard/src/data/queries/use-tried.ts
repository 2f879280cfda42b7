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
 * Asks the server while a person types: after each pause, whenever `key` has changed. The last answer stays in the meantime. With
 * `undefined` as the key, nothing is asked.
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
