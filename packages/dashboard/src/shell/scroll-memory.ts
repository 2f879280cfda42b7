import { onScroll, scrolled, scrollPage } from './scroller.ts';

interface Place {
  readonly scrollY?: number;
}

/** The longest wait for a page to grow to its former length after Back. */
const PATIENCE_MS = 2_000;

/**
 * Makes Back return to the former scroll position. The browser itself tries that at once, before a list has loaded. Here, each
 * entry of the history keeps its position, which is tried until the page is long enough.
 */
export function installScrollMemory(): void {
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  onScroll(() => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState({ scrollY: scrolled() } satisfies Place, ''), 100);
  });
  addEventListener('popstate', ({ state, timeStamp }) => {
    clearTimeout(timer);
    const { scrollY: wanted = 0 } = (state as Place | null) ?? {};
    const stop = new AbortController();
    for (const type of ['wheel', 'touchstart', 'keydown'])
      addEventListener(type, () => stop.abort(), { signal: stop.signal, passive: true });
    const attempt = (now: number): void => {
      if (stop.signal.aborted) return;
      scrollPage(wanted);
      if (Math.abs(scrolled() - wanted) < 2 || now - timeStamp > PATIENCE_MS) stop.abort();
      else requestAnimationFrame(attempt);
    };
    requestAnimationFrame(attempt);
  });
}
