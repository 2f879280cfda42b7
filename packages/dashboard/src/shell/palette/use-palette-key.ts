import { useEffect, useRef } from 'preact/hooks';

/** The keys that open the palette, as they are labeled on this computer's keyboard. */
export const PALETTE_KEYS = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** Calls `open` for Ctrl+K or Cmd+K, even while somebody types in a field, but not behind a dialog. */
export function usePaletteKey(open: () => void): void {
  const newest = useRef(open);
  newest.current = open;
  useEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      newest.current();
    }
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
