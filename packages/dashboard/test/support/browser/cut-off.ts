/**
 * Finds a page that is wider than the window, texts and frames that are cut off without an ellipsis, texts that run out of their
 * box, elements that scroll sideways without a scroll bar, and controls that stick out of a frame that clips them. It runs in the page.
 */
export function cutOff(): string[] {
  const found: string[] = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  const widest = () =>
    [...document.querySelectorAll('body *')].findLast(
      (each) => each.getBoundingClientRect().right > innerWidth + wide - 1,
    );
  if (wide > 0) found.push(`${wide} pixels too wide: "${widest()?.outerHTML.slice(0, 80)}"`);
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    // The text of a control can be scrolled with the cursor.
    if (element.closest('.sr, [hidden], dialog:not([open]), input, textarea')) continue;
    const { overflowX, textOverflow, scrollbarWidth } = getComputedStyle(element);
    const more = element.scrollWidth > element.clientWidth + 1;
    if (more && scrollbarWidth === 'none' && overflowX === 'auto')
      found.push(`.${element.className} scrolls sideways without a bar`);
    const cuts = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis';
    if (cuts && more && element.clientWidth > 1)
      found.push(`.${element.className} with "${element.textContent?.slice(0, 40)}" is cut off`);
    if (textOverflow === 'ellipsis' && more && element.clientWidth < 48 && element.checkVisibility())
      found.push(`"${element.textContent?.slice(0, 40)}" has no room for a word`);
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.nodeValue?.trim());
    if (texts.length === 0) continue;
    // Text that one can scroll to is not lost, and the headings of stacked columns are for screen readers only.
    if (element.closest('.json, pre, thead')) continue;
    const range = document.createRange();
    range.selectNodeContents(texts[0] as Node);
    const text = range.getBoundingClientRect();
    for (let box: HTMLElement | null = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.display === 'inline' || style.display === 'contents') continue;
      if (style.position === 'absolute' || style.position === 'fixed' || style.overflowX !== 'visible') break;
      const edge = box.getBoundingClientRect();
      // The glyphs of a line may be higher than the line.
      if (text.right <= edge.right + 1 && text.bottom <= edge.bottom + 6) continue;
      found.push(`"${element.textContent?.slice(0, 40)}" runs out of .${box.className}`);
      break;
    }
  }
  for (const control of document.querySelectorAll('main :is(a, button, input, select)')) {
    const { right, width } = control.getBoundingClientRect();
    for (let frame = width > 0 ? control.parentElement : null; frame; frame = frame.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(frame);
      // One can scroll to it, or an ellipsis says that there is more; a frame of one pixel is for screen readers only.
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') break;
      if (frame.clientWidth <= 1) break;
      if (overflowX !== 'visible' && right > frame.getBoundingClientRect().right + 1) {
        found.push(`"${control.textContent?.slice(0, 40)}" sticks out of its frame`);
        break;
      }
    }
  }
  return found;
}
