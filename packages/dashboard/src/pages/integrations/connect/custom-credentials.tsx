import { useSignal } from '@preact/signals';
import { MoreFields } from '../../../components/fields/more-fields.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { CredentialField } from './credential-field.tsx';
import { CUSTOM_NAMES } from './credential-texts.ts';
import { RemovedCredentials } from './removed-credentials.tsx';

/** The ways to authenticate calls: presets of the server, and two kinds whose rules are spelled out. */
const WAYS = {
  'github-style': 'Signature of the body, as GitHub makes it',
  'standard-webhooks': 'Signature of Standard Webhooks',
  'slack-style': 'Signature as Slack makes it',
  'shared-token': 'Bearer token',
  hmac: 'Signature in another header…',
  token: 'Token in another header…',
  none: 'Only a token in its URL',
};

/** The kinds that are not presets. */
const KINDS: readonly string[] = ['hmac', 'token'];

/** The credentials that each way takes. Default: a secret. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  none: [],
  token: ['secret', 'header', 'prefix'],
  hmac: ['secret', 'header', 'prefix', 'digest', 'signed', 'timestamp_header', 'tolerance_seconds'],
};

const READING = ['event_type_header', 'event_type_pointer', 'delivery_id_header', 'delivery_id_pointer'];

const UNCHANGED = '';

/** The form of a custom integration. */
export function CustomCredentials({ stored }: { stored: boolean }) {
  const way = useSignal(stored ? UNCHANGED : 'github-style');
  return (
    <>
      <CredentialField provider="custom" name="source" />
      <SelectField
        name="preset"
        label="How calls are authenticated"
        value={way.value}
        options={stored ? { [UNCHANGED]: 'As before', ...WAYS } : WAYS}
        onChange={(chosen) => (way.value = chosen)}
      />
      {(FIELDS[way.value] ?? ['secret']).map((name) =>
        name === 'digest' ? (
          <SelectField
            key={name}
            name={name}
            label="Encoding of the signature"
            value="hex"
            options={{ hex: 'hex', base64: 'base64' }}
          />
        ) : (
          <CredentialField key={name} provider="custom" name={name} stored={stored} />
        ),
      )}
      <CredentialField provider="custom" name="notify_url" />
      <MoreFields label="Event types and repeated calls">
        {READING.map((name) => (
          <CredentialField key={name} provider="custom" name={name} />
        ))}
      </MoreFields>
      {stored && <RemovedCredentials provider="custom" names={CUSTOM_NAMES} />}
    </>
  );
}

/** Kinds of rules are `verification` in the API; the others are presets. */
export function customCredentials({ preset = '', ...given }: Record<string, string>): Record<string, string> {
  if (preset === UNCHANGED) return given;
  return KINDS.includes(preset) ? { ...given, verification: preset } : { ...given, preset };
}
