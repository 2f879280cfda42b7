import { useSignal } from '@preact/signals';

/** An action that a person starts and that takes a moment. */
export interface Action<Arguments extends unknown[]> {
  readonly pending: boolean;
  readonly error: unknown;
  /** Runs the action, unless it is running. Resolves to true on success. Never rejects: the failure is `error`. */
  run(...given: Arguments): Promise<boolean>;
  /** Forgets the error. */
  reset(): void;
}

/** Turns `work` into an action; a click while it runs does nothing. */
export function useAction<Arguments extends unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const pending = useSignal(false);
  const error = useSignal<unknown>();
  return {
    get pending() {
      return pending.value;
    },
    get error() {
      return error.value;
    },
    async run(...given) {
      if (pending.peek()) return false;
      pending.value = true;
      error.value = undefined;
      try {
        await work(...given);
        return true;
      } catch (reason) {
        error.value = reason;
        return false;
      } finally {
        pending.value = false;
      }
    },
    reset() {
      error.value = undefined;
    },
  };
}
