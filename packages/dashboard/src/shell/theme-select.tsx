import { useId } from 'preact/hooks';
import { setTheme, theme, THEMES, type Theme } from './theme.ts';

export function ThemeSelect() {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Theme</label>
      <select
        id={id}
        class="input"
        value={theme.value}
        onChange={(event) => setTheme(event.currentTarget.value as Theme)}
      >
        {Object.entries(THEMES).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
