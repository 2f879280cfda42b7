/** Elements whose title was set here, and not by a page. */
const titled = new WeakSet<Element>();

/** Shows the full text as a tooltip when the pointer rests on a text that is cut off. */
export function installFullText(): void {
  addEventListener('pointerover', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('.clip, .strong, td, h1') : null;
    if (!element || (element.title !== '' && !titled.has(element))) return;
    const isCut = element.scrollWidth > element.clientWidth;
    if (isCut) titled.add(element);
    if (titled.has(element)) element.title = isCut ? element.innerText : '';
  });
}
