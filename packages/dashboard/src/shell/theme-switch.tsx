import { Seg } from '../components/controls/seg.tsx';
import { theme, THEMES } from './theme.ts';

/** Chooses the theme: that of the system, light or dark. */
export const ThemeSwitch = () => (
  <Seg label="Theme" options={THEMES} value={theme.value} onChange={(next) => (theme.value = next)} />
);
