/** Copies text; `false` if the browser refuses. Over plain http:// there is no `navigator.clipboard`, only the old way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    return copySelection(text);
  } catch {
    return false;
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Inside an open dialog only what it contains can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  place.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
