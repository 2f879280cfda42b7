/** Elements that got their title here, and not from a page. */
const titled = new WeakSet<Element>();

/** Shows the whole of a text that is cut off, wherever the pointer rests on one. */
export function installFullText(): void {
  addEventListener('pointerover', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('.clip, .strong, td, h1') : null;
    if (!element || (element.title !== '' && !titled.has(element))) return;
    const isCut = element.scrollWidth > element.clientWidth;
    if (isCut) titled.add(element);
    if (titled.has(element)) element.title = isCut ? element.innerText : '';
  });
}
