interface TabsProps {
  readonly label: string;
  /** Value → its label. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** A choice of views; the arrow keys switch between them. Keep the chosen one in the query string if a link to it is useful. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const names = Object.keys(tabs);
  return (
    <div class="tabs in" role="tablist" aria-label={label}>
      {names.map((name, at) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === value}
          tabIndex={name === value ? 0 : -1}
          onClick={() => onChange(name)}
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            const next = step === undefined ? undefined : names.at((at + step) % names.length);
            if (next === undefined) return;
            event.preventDefault();
            onChange(next);
            const target = event.currentTarget.parentElement?.children[names.indexOf(next)];
            if (target instanceof HTMLElement) target.focus();
          }}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}
