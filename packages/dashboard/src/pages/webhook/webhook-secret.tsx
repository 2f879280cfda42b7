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

/** The beginning of Standard Webhooks without what follows there: 24 to 64 bytes in base64. */
const MALFORMED = /^whsec_(?!(?=(?:.{4})+$)[A-Za-z\d+/]{32,86}={0,2}$)/;

/** The risk of a secret. It is used all the same: the specification takes any text. */
function riskOf(secret: string): string {
  if (MALFORMED.test(secret))
    return 'No 24 to 64 bytes in base64 after whsec_: libraries of Standard Webhooks cannot verify its calls. ';
  const isShort = secret !== '' && [...secret].length < LIMITS.secretAdvisedMin;
  return isShort ? 'Short: anyone who sees one call can guess it and forge others. ' : '';
}

/** Chooses between a generated secret and the user's own. */
export function SecretFields() {
  const origin = useSignal('generate');
  const typed = useSignal('');
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
          onInput={(next) => (typed.value = next)}
          hint={`${riskOf(typed.value)}Use at least ${LIMITS.secretAdvisedMin} characters, at most ${LIMITS.secretMax}. Give the receiver the same secret; it is not shown again.`}
        />
      )}
    </>
  );
}

/** The user's own secret; `undefined` if one is to be generated. */
export const ownSecret = (fields: FormFields): string | undefined =>
  fields.text('secret_origin') === 'own' ? fields.raw('secret') : undefined;
