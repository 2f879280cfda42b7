import { isAbortError } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Long enough for a word, short enough to look live. */
const PAUSE_MS = 300;

interface DryRun<T> {
  readonly data?: T;
  readonly error?: unknown;
}

/**
 * Asks the server while a person types: after each pause, whenever `key` has changed. The last result stays in the meantime. With
 * `undefined` as the key, nothing is asked.
 */
export function useDryRun<T>(
  ask: (signal: AbortSignal) => PromiseLike<T>,
  key: string | undefined,
): DryRun<T> {
  const result = useSignal<DryRun<T>>({});
  useEffect(() => {
    if (key === undefined) return;
    const abort = new AbortController();
    async function run(): Promise<void> {
      try {
        result.value = { data: await ask(abort.signal) };
      } catch (error) {
        if (!isAbortError(error)) result.value = { error };
      }
    }
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return result.value;
}
