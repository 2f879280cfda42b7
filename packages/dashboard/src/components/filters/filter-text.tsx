import { useEffect, useId, useRef } from 'preact/hooks';

interface FilterTextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  /** Suggestions of the browser. */
  readonly suggestions?: readonly string[];
  readonly onChange: (value: string | undefined) => void;
}

/** Long enough to type on, short enough not to be noticed. */
const PAUSE_MS = 300;

/** A filter that is typed; it takes effect after a pause, or with Enter. */
export function FilterText(props: FilterTextProps) {
  const { label, value, placeholder = label, suggestions = [], onChange } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Cleared, or gone back: but what is being typed is not taken away.
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function commit(): void {
    clearTimeout(timer.current);
    const text = input.current?.value.trim() || undefined;
    if (text !== value) onChange(text);
  }
  return (
    <>
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value ?? ''}
        list={suggestions.length > 0 ? list : undefined}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(commit, PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        onBlur={commit}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}
