import { setTheme, theme, THEMES, type Theme } from './theme.ts';

/** The theme: as the system, light or dark. */
export function ThemeSwitch() {
  return (
    <fieldset class="seg">
      <legend class="sr">Theme</legend>
      {(Object.keys(THEMES) as Theme[]).map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            value={name}
            checked={theme.value === name}
            onChange={() => setTheme(name)}
          />
          {THEMES[name]}
        </label>
      ))}
    </fieldset>
  );
}
