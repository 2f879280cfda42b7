import { useEffect, useRef } from 'preact/hooks';
import { useVisible } from '../live/use-visible.ts';

/**
 * Repeats `work`, `delayMs` after the last time, while that is a number and the page is visible. A new delay applies at once. Failures
 * are left to the next time.
 */
export function usePoll(work: (signal: AbortSignal) => Promise<unknown>, delayMs: number | undefined): void {
  const visible = useVisible();
  const newest = useRef(work);
  useEffect(() => {
    newest.current = work;
  });
  useEffect(() => {
    if (!visible || delayMs === undefined) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    function wait(): void {
      timer = setTimeout(() => void run(), delayMs);
    }
    async function run(): Promise<void> {
      await newest.current(abort.signal).catch(() => undefined);
      if (!abort.signal.aborted) wait();
    }
    wait();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [visible, delayMs]);
}
