import { useLayoutEffect, useRef } from 'preact/hooks';
import { preference } from '../session/preference.ts';
import { PALETTE_KEYS } from './palette/use-palette-key.ts';

/** The keys that work anywhere; the help dialog lists them. */
export const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: PALETTE_KEYS.split(' '), does: 'Search or jump to' },
  { keys: ['/'], does: 'Go to the first filter' },
  { keys: ['j'], does: 'Next row' },
  { keys: ['k'], does: 'Previous row' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['r'], does: 'Reload' },
  { keys: ['?'], does: 'Show this list' },
];

export const SINGLE_KEYS = { on: 'On', off: 'Off' } as const;

/** The choice to have shortcuts of one character: speech recognition and a trembling hand press them by accident. WCAG 2.1.4. */
export const singleKeys = preference<keyof typeof SINGLE_KEYS>('hubline.single_keys', SINGLE_KEYS);

/** Reports whether a click has a modifier key, and is therefore for the browser. */
export const hasModifier = (event: MouseEvent): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Reports whether a key goes into a field, belongs to the browser, or is pressed in a dialog. */
function isForTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, select, textarea, dialog') !== null;
}

/** Runs the function under a key's name (`KeyboardEvent.key`), as long as the component is mounted. */
export function useShortcuts(handlers: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const newest = useRef(handlers);
  newest.current = handlers;
  useLayoutEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (isForTyping(event) || (singleKeys.value === 'off' && event.key.length === 1)) return;
      newest.current[event.key]?.(event);
    }
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
