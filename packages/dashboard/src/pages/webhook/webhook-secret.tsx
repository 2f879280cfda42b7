import { LIMITS } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import type { FormFields } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';

/** 32 random bytes in the form of Standard Webhooks, so that every library that verifies accepts it. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Chooses between a generated secret and the user's own. */
export function SecretFields() {
  const origin = useSignal('generate');
  const typed = useSignal('');
  const isShort = typed.value !== '' && [...typed.value].length < LIMITS.secretAdvisedMin;
  return (
    <>
      <SelectField
        name="secret_origin"
        label="Signing secret"
        value="generate"
        options={{ generate: 'Generate one, and show it once', own: 'Use my own' }}
        onChange={(next) => (origin.value = next)}
        hint="Signs every call, so that the receiver can trust it."
      />
      {origin.value === 'own' && (
        <TextField
          name="secret"
          label="Secret"
          mono
          autoComplete="off"
          onInput={(next) => (typed.value = next)}
          hint={
            isShort
              ? `Short: anyone who sees one call can guess it and forge others. Use at least ${LIMITS.secretAdvisedMin} characters, or generate one.`
              : `At least ${LIMITS.secretAdvisedMin} characters are advised, at most ${LIMITS.secretMax}. Give the receiver the same secret; it is not shown again.`
          }
        />
      )}
    </>
  );
}

/** The user's own secret; `undefined` if one is to be generated. */
export const ownSecret = (fields: FormFields): string | undefined =>
  fields.text('secret_origin') === 'own' ? fields.raw('secret') : undefined;
