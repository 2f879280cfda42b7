const CONTROLS = 'a[href], button, summary, input, select, textarea';

/**
 * Gives the focus to a neighbor when the control that has it is removed, such as the button that removes its own row: otherwise a
 * screen reader begins at the top of the page.
 */
export function installKeptFocus(): void {
  // The control, those after it, and then those before it, backward.
  let near: readonly HTMLElement[] = [];
  addEventListener('focusin', ({ target }) => {
    const all = [...document.querySelectorAll<HTMLElement>(`main :is(${CONTROLS})`)];
    const at = all.indexOf(target as HTMLElement);
    near = at < 0 ? [] : [...all.slice(at), ...all.slice(0, at).toReversed()];
  });
  new MutationObserver(() => {
    if (document.activeElement === document.body && near[0]?.isConnected === false)
      near.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
