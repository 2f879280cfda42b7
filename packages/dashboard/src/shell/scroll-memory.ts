interface Place {
  readonly scrollY?: number;
}

/** How long a page that was gone back to may take to be as long as it was. */
const PATIENCE_MS = 2_000;

/**
 * Back returns to where one was. The browser tries so at once, when a list has not been loaded yet; so each entry of the
 * history remembers its place, and it is tried until the page is long enough.
 */
export function installScrollMemory(): void {
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState({ scrollY } satisfies Place, ''), 100);
    },
    { passive: true },
  );
  addEventListener('popstate', ({ state, timeStamp }) => {
    clearTimeout(timer);
    const { scrollY: wanted = 0 } = (state as Place | null) ?? {};
    const stop = new AbortController();
    for (const type of ['wheel', 'touchstart', 'keydown'])
      addEventListener(type, () => stop.abort(), { signal: stop.signal, passive: true });
    const attempt = (now: number): void => {
      if (stop.signal.aborted) return;
      scrollTo(0, wanted);
      if (Math.abs(scrollY - wanted) < 2 || now - timeStamp > PATIENCE_MS) stop.abort();
      else requestAnimationFrame(attempt);
    };
    requestAnimationFrame(attempt);
  });
}
