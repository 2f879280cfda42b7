import type { Provider } from '@hubline/sdk';
import type { FormFields } from '../../../components/fields/form.tsx';
import { MoreFields } from '../../../components/fields/more-fields.tsx';
import { CredentialField } from './credential-field.tsx';
import { CustomCredentials, customCredentials } from './custom-credentials.tsx';

/** Of more optional credentials than these, the rest is folded. */
const SHOWN = 3;

/**
 * The credentials of a provider; `credentialsOf` reads them. `stored`: it is connected already, and these replace the stored
 * ones.
 */
export function CredentialFields({ provider, stored = false }: { provider: Provider; stored?: boolean }) {
  if (provider.provider === 'custom') return <CustomCredentials stored={stored} />;
  const { required_credentials: required, optional_credentials: optional } = provider;
  const field = (name: string) => (
    <CredentialField
      key={name}
      provider={provider.provider}
      name={name}
      required={required.includes(name)}
      stored={stored}
    />
  );
  const sorted = inOrder(provider.provider, optional);
  const folded = sorted.slice(SHOWN);
  return (
    <>
      {required.map(field)}
      {sorted.slice(0, SHOWN).map(field)}
      {folded.length > 0 && <MoreFields label="More options">{folded.map(field)}</MoreFields>}
    </>
  );
}

/** The host that events come from is asked first. */
const FIRST: Readonly<Record<string, readonly string[]>> = { github: ['repository', 'organization'] };

const inOrder = (provider: string, names: readonly string[]): readonly string[] => {
  const first = (FIRST[provider] ?? []).filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
};

/** The filled fields; empty ones are left out. */
export function credentialsOf({ provider, ...names }: Provider, fields: FormFields): Record<string, string> {
  const all = [...names.required_credentials, ...names.optional_credentials];
  const given = Object.fromEntries(
    all.map((name) => [name, fields.text(name)]).filter(([, value]) => value !== ''),
  );
  return provider === 'custom' ? customCredentials(given) : given;
}
