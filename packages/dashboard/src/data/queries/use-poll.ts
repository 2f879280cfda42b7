import { useEffect, useRef } from 'preact/hooks';
import { useVisible } from '../live/use-visible.ts';

/**
 * Repeats `work` while the page is visible, `delayMs` after the last run ended; `undefined` stops it. A new delay applies at once. A
 * failure is ignored: the next run may succeed.
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
