import type { Provider } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import type { FormFields } from '../../../components/fields/form.tsx';
import { MoreFields } from '../../../components/fields/more-fields.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { CredentialField } from './credential-field.tsx';
import { CustomCredentials, customCredentials } from './custom-credentials.tsx';
import { RemovedCredentials } from './removed-credentials.tsx';

/** The number of optional credentials that are shown; the rest is folded. */
const SHOWN = 3;

/**
 * The credentials of a provider; `credentialsOf` reads them. If there are several ways to connect, one is chosen first. With
 * `stored`, the provider is already connected, and these credentials replace the stored ones.
 */
export function CredentialFields({ provider, stored = false }: { provider: Provider; stored?: boolean }) {
  const { provider: key, methods } = provider;
  const chosen = useSignal(methods[0]?.method ?? '');
  if (key === 'custom') return <CustomCredentials stored={stored} />;
  const method = methods.find((each) => each.method === chosen.value);
  const all = method?.credentials ?? [];
  const field = (name: string) => (
    <CredentialField
      key={`${chosen.value} ${name}`}
      provider={key}
      name={name}
      credential={all.find((each) => each.name === name)}
      stored={stored}
    />
  );
  const named = (required: boolean) =>
    all.filter((each) => each.required === required).map(({ name }) => name);
  const sorted = inOrder(key, named(false));
  const folded = sorted.slice(SHOWN);
  return (
    <>
      {methods.length > 1 && (
        <SelectField
          name="method"
          label="Way to connect"
          value={chosen.value}
          options={Object.fromEntries(methods.map((each) => [each.method, each.name]))}
          hint={method?.description}
          onChange={(next) => (chosen.value = next)}
        />
      )}
      {named(true).map(field)}
      {sorted.slice(0, SHOWN).map(field)}
      {folded.length > 0 && <MoreFields label="More options">{folded.map(field)}</MoreFields>}
      {stored && sorted.length > 0 && <RemovedCredentials provider={key} names={sorted} />}
    </>
  );
}

/** The source of the events is asked for first. */
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
