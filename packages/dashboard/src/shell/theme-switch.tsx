import { Seg } from '../components/controls/seg.tsx';
import { setTheme, theme, THEMES } from './theme.ts';

/** The theme: as the system, light or dark. */
export const ThemeSwitch = () => (
  <Seg label="Theme" options={THEMES} value={theme.value} onChange={setTheme} />
);
