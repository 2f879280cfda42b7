import { useEffect, useRef } from 'preact/hooks';

interface FilterTextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: string | undefined) => void;
}

/** Long enough to keep typing, short enough not to be noticed. */
const PAUSE_MS = 300;

/** A filter that is typed; it takes effect after a pause, or with Enter. */
export function FilterText(props: FilterTextProps) {
  const { label, value, placeholder = label, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The filter was cleared, or Back was pressed. Text that is being typed stays.
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function commit(): void {
    clearTimeout(timer.current);
    const text = input.current?.value.trim() || undefined;
    if (text !== value) onChange(text);
  }
  return (
    <input
      ref={input}
      class="input"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value ?? ''}
      onInput={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(commit, PAUSE_MS);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key !== 'Escape') return;
        // Browsers clear a search field only after this event, and fire no event that would end the typing.
        event.currentTarget.value = '';
        event.currentTarget.blur();
      }}
      onBlur={commit}
    />
  );
}
