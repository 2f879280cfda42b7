/** The elements that scroll the page, but not panels beside a list. */
const PAGE = 'main > .scroll, .events > .scroll';

/** The element that scrolls: a part of the sheet, and on a narrow screen the window. */
function scroller(): HTMLElement {
  const inner = document.querySelector<HTMLElement>(PAGE);
  const own = inner !== null && inner.scrollHeight > inner.clientHeight + 1;
  return own ? inner : document.documentElement;
}

/** The distance by which the page is scrolled, in pixels. */
export const scrolled = (): number => scroller().scrollTop;

export function scrollPage(top: number): void {
  scroller().scrollTop = top;
}

/** Lets keys scroll the page while nothing in it has the focus: on a wide screen, the window itself does not scroll. */
export function installScrollKeys(): void {
  addEventListener('keydown', ({ target, key }) => {
    if (/^(Page|Arrow|Home|End| )/.test(key) && (target as Element).matches('body, main, h1'))
      scroller().focus();
  });
}

/** Calls `listener` when the page scrolls, until the returned function is called. */
export function onScroll(listener: () => void): () => void {
  // Scrolling does not bubble, but it can be captured.
  const options = { passive: true, capture: true };
  addEventListener('scroll', listener, options);
  return () => removeEventListener('scroll', listener, options);
}
