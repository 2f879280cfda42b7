import { isAbortError } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** The loaded data and the state of loading. Reading a field subscribes the component to it. */
export interface Query<T> {
  /** The newest answer; it stays while the next one loads. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads again. */
  reload(): void;
  /** Replaces what was loaded, with the answer of a write. */
  set(data: T): void;
}

/**
 * Loads something, again whenever one of `inputs` changes, which begins without data. Leaving the page ends the request.
 *
 *     const event = useQuery((signal) => client.events.get(workspace.id, id, { signal }), [workspace.id, id]);
 */
export function useQuery<T>(
  load: (signal: AbortSignal) => PromiseLike<T>,
  inputs: readonly (string | number | boolean | null | undefined)[],
): Query<T> {
  const data = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const loading = useSignal(true);
  const round = useSignal(0);
  const key = JSON.stringify(inputs);

  useMemo(() => {
    data.value = undefined;
    error.value = undefined;
  }, [key]);

  useEffect(() => {
    const abort = new AbortController();
    async function run(): Promise<void> {
      loading.value = true;
      try {
        const answer = await load(abort.signal);
        if (abort.signal.aborted) return;
        data.value = answer;
        error.value = undefined;
      } catch (reason) {
        if (abort.signal.aborted || isAbortError(reason)) return;
        error.value = reason;
      }
      loading.value = false;
    }
    void run();
    return () => abort.abort();
  }, [key, round.value]);

  return {
    get data() {
      return data.value;
    },
    get error() {
      return error.value;
    },
    get loading() {
      return loading.value;
    },
    reload: () => {
      round.value++;
    },
    set: (answer) => {
      data.value = answer;
    },
  };
}
