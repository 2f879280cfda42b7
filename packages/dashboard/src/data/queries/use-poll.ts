import { useEffect, useRef } from 'preact/hooks';
import { useVisible } from '../live/use-visible.ts';

/**
 * Does `work` again and again, `delayMs` after it was done the last time, as long as that is a number and somebody can see the
 * page. Another delay begins at once. What goes wrong is left to the next time.
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
