let last: HTMLInputElement | HTMLTextAreaElement | undefined;

/** Remembers the field that a person is in, so that a click on a value can write there. */
export function rememberField({ target }: Event): void {
  if (
    (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
    target.dataset['insert']
  )
    last = target;
}

/** Writes a path, or a template with it, into the field that a person was in last; `false` if there is none. */
export function insertPath(path: string): boolean {
  if (!last?.isConnected) return false;
  if (last.dataset['insert'] === 'path') last.value = path;
  else last.setRangeText(`{{ ${path} }}`, last.selectionStart ?? 0, last.selectionEnd ?? 0, 'end');
  last.dispatchEvent(new Event('input', { bubbles: true }));
  last.focus();
  return true;
}
