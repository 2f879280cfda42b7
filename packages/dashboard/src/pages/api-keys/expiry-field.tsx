import { useSignal } from '@preact/signals';
import type { FormFields } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { formatDay } from '../../components/text/time.tsx';

const LIFETIMES = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: 'A year',
  never: 'Never expires',
  date: 'On a date…',
};

const DAY_MS = 86_400_000;

const inDays = (days: string): Date => new Date(Date.now() + Number(days) * DAY_MS);

/** The lifetime of a key. Read it with `expiryOf`. */
export function ExpiryField() {
  const lifetime = useSignal('90');
  const hint = Number(lifetime.value) ? `It stops on ${formatDay(inDays(lifetime.value))}.` : undefined;
  return (
    <>
      <SelectField
        name="lifetime"
        label="Expires"
        value={lifetime.value}
        options={LIFETIMES}
        onChange={(chosen) => (lifetime.value = chosen)}
        hint={hint}
      />
      {lifetime.value === 'date' && (
        <TextField
          name="expires_at"
          label="Works until"
          type="datetime-local"
          hint="In this browser’s time zone."
        />
      )}
    </>
  );
}

/** The chosen date for the API, which says what is wrong with an invalid one. */
export function expiryOf(fields: FormFields): string | null {
  const lifetime = fields.text('lifetime');
  if (lifetime === 'never') return null;
  if (lifetime !== 'date') return inDays(lifetime).toISOString();
  const date = new Date(fields.text('expires_at'));
  return Number.isNaN(date.getTime()) ? fields.text('expires_at') : date.toISOString();
}
