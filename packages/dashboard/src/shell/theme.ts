import { signal } from '@preact/signals';
import { recall, remember } from '../session/browser-memory.ts';

export const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const;

export type Theme = keyof typeof THEMES;

const KEY = 'hubline.theme';

const isTheme = (text: string | null): text is Theme => text !== null && text in THEMES;

const remembered = recall(KEY);

/** The chosen theme. Change it with `setTheme`. */
export const theme = signal<Theme>(isTheme(remembered) ? remembered : 'auto');

export function setTheme(next: Theme): void {
  theme.value = next;
  remember(KEY, next);
  applyTheme(next);
}

/** Sets the attribute from which tokens.css takes the colors. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
