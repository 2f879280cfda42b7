import type { ComponentChildren } from 'preact';
import { Tick } from './tick.tsx';

interface CheckboxFieldProps {
  /** Several boxes with one name are a list: read them with `fields.all(name)`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value?: string;
  readonly checked?: boolean;
  readonly onChange?: (checked: boolean) => void;
}

export const CheckboxField = ({ value = 'on', checked = false, onChange, ...box }: CheckboxFieldProps) => (
  <Tick {...box} value={value} defaultChecked={checked} onTick={(now) => onChange?.(now)} />
);
