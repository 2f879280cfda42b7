import { useEffect, useRef } from 'preact/hooks';
import { useVisible } from '../live/use-visible.ts';

/**
 * Repeats `work` while the page is visible, `delayMs` after the last run ended, and at once when somebody comes back to the page;
 * `undefined` stops it. A new delay applies at once. A failure is ignored: the next run may succeed.
 */
export function usePoll(work: (signal: AbortSignal) => Promise<unknown>, delayMs: number | undefined): void {
  const visible = useVisible();
  const newest = useRef(work);
  const wasHidden = useRef(false);
  useEffect(() => {
    newest.current = work;
  });
  useEffect(() => {
    if (!visible) wasHidden.current = true;
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
    if (wasHidden.current) void run();
    else wait();
    wasHidden.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [visible, delayMs]);
}
