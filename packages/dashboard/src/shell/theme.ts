import { preference } from '../session/preference.ts';

export const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const;

export type Theme = keyof typeof THEMES;

/** The chosen theme. */
export const theme = preference<Theme>('hubline.theme', THEMES);

// tokens.css takes the colors from this attribute. The frame of the dashboard has a switch, so this runs before anything is drawn.
theme.subscribe((now) => {
  document.documentElement.dataset['theme'] = now;
});
