import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type FieldProps, useIssues, Wrong } from './field.tsx';
import { Tick } from './tick.tsx';

interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface CheckboxGroupProps extends FieldProps {
  readonly options: readonly Option[];
  /** The boxes that are checked at first. */
  readonly value: readonly string[];
  /** The value that stands for all others: while it is checked, they are checked, too, and cannot be changed. */
  readonly all?: string;
  /** The values that `all` does not include. */
  readonly except?: readonly string[];
}

/** A choice of several options. `fields.all(name)` returns the checked ones, without those that `all` implies. */
export function CheckboxGroup({ name, label, hint, options, value, all, except = [] }: CheckboxGroupProps) {
  const id = useId();
  const chosen = useSignal(value);
  const issues = useIssues(name);
  const everything = all !== undefined && chosen.value.includes(all);
  const toggle = (option: string, checked: boolean) => {
    const others = chosen.value.filter((each) => each !== option);
    chosen.value = checked ? [...others, option] : others;
  };
  return (
    <fieldset class="field bare" aria-describedby={issues.length > 0 ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      {hint !== undefined && <span class="hint">{hint}</span>}
      {options.map((option) => {
        const implied = everything && option.value !== all && !except.includes(option.value);
        return (
          <Tick
            {...option}
            key={option.value}
            name={name}
            checked={implied || chosen.value.includes(option.value)}
            disabled={implied}
            aria-invalid={issues.length > 0}
            onTick={(checked) => toggle(option.value, checked)}
          />
        );
      })}
      <Wrong id={id} label={label} issues={issues} />
    </fieldset>
  );
}
