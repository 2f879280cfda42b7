import { CREDENTIALS, type Provider as ProviderDocument, type ProviderKey } from '@hubline/contract';
import { z } from 'zod';
import type { FaultDetail } from '../domain/faults/fault.ts';
import { unknownName } from '../domain/faults/unknown-name.ts';
import type { Credentials, Provider } from './provider.ts';

interface Method {
  key: string;
  schema: z.ZodObject;
  /** The names of its credentials. */
  names: string[];
  required: string[];
}

/** The methods for connecting a provider, the usual one first. */
function methodsOf(provider: Provider): Method[] {
  const methods: Record<string, z.ZodObject> = provider.methods ?? CREDENTIALS[provider.key as ProviderKey];
  return Object.entries(methods).map(([key, schema]) => {
    const names = Object.keys(schema.shape);
    const required = names.filter((name) => !(schema.shape[name] instanceof z.ZodOptional));
    return { key, schema, names, required };
  });
}

/** The names of the credentials that the usual method needs. Specification, "Available integration provider". */
export const requiredCredentials = (provider: Provider): string[] => methodsOf(provider)[0]?.required ?? [];

/** The names of all other credentials that the provider accepts. */
export function optionalCredentials(provider: Provider): string[] {
  const required = requiredCredentials(provider);
  const names = new Set(methodsOf(provider).flatMap((method) => method.names));
  return [...names].filter((name) => !required.includes(name));
}

/** The methods of a provider as the API shows them. */
export function describeMethods(provider: Provider): z.output<typeof ProviderDocument>['methods'] {
  return methodsOf(provider).map(({ key, schema, required }) => ({
    method: key,
    name: schema.meta()?.title ?? key,
    description: schema.description ?? '',
    credentials: Object.entries(schema.shape).map(([name, form]) => ({
      name,
      description: (form as z.ZodType).description ?? '',
      required: required.includes(name),
      secret: isSecret(form as z.ZodType),
    })),
  }));
}

function isSecret(form: z.ZodType): boolean {
  const inner = form instanceof z.ZodOptional ? (form.unwrap() as z.ZodType) : form;
  return inner.meta()?.['format'] === 'password';
}

/** The names that the nearest method still needs; empty when the given credentials complete it. */
export function missingCredentials(provider: Provider, given: Credentials): string[] {
  if (given['auth'] === 'oauth') return [];
  const { required } = nearestMethod(provider, given);
  return required.filter((name) => !Object.hasOwn(given, name));
}

/**
 * The method that these credentials most likely mean: the first with the fewest unknown and missing names, or the usual one when no
 * name is known.
 */
function nearestMethod(provider: Provider, given: Credentials): Method {
  const methods = methodsOf(provider);
  const named = methods.filter(({ names }) => names.some((name) => Object.hasOwn(given, name)));
  const faults = ({ names, required }: Method) =>
    Object.keys(given).filter((name) => !names.includes(name)).length +
    required.filter((name) => !Object.hasOwn(given, name)).length;
  return (named.length > 0 ? named : methods.slice(0, 1)).reduce((best, method) =>
    faults(method) < faults(best) ? method : best,
  );
}

/**
 * Checks the given credentials: their names, then their values, then the provider's own rules. No issue repeats a
 * value.
 */
export function checkCredentials(provider: Provider, given: Credentials): FaultDetail[] {
  const { schema, names: known } = nearestMethod(provider, given);
  const forms = schema.shape as Record<string, z.ZodType>;
  const entries = Object.entries(given);
  const unknown = entries.filter(([name]) => !known.includes(name));
  const missing = missingCredentials(provider, given);
  const details = [
    // First, because an unknown name may be a misspelling of a missing one.
    ...unknown.map(([name]) => ({
      field: `credentials.${name}`,
      issue: unknownName(name, { known, noun: 'field' }),
    })),
    ...missing.map((name) => ({ field: `credentials.${name}`, issue: 'is required' })),
    ...entries.flatMap(([name, value]) => {
      const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
      const [issue] = form?.safeParse(value).error?.issues ?? [];
      return issue ? [{ field: `credentials.${name}`, issue: issue.message }] : [];
    }),
  ];
  return details.length > 0 ? details : provider.checkCredentials(given);
}

/**
 * Checks that a host that is kept is named again. The API does not show the stored one, and whoever stored it would get the new
 * token of somebody else.
 */
export function checkHost(changed: Credentials, given: Credentials): FaultDetail[] {
  const { domain } = changed;
  if (domain === undefined || given['domain'] !== undefined) return [];
  const issue = `must be given again, because the token goes there: the integration is at ${domain}. To connect the public server, remove it`;
  return [{ field: 'credentials.domain', issue }];
}

/** Checks that the names to remove are those of credentials. */
export function checkRemoved(provider: Provider, removed: readonly string[]): FaultDetail[] {
  const known = [...new Set(methodsOf(provider).flatMap(({ names }) => names))];
  const unknown = [...removed.entries()].filter(([, name]) => !known.includes(name));
  return unknown.map(([index, name]) => ({
    field: `remove[${index}]`,
    issue: unknownName(name, { known, noun: 'field' }),
  }));
}

/**
 * The given credentials, and the stored optional ones of the same method that stay. A required one has to be given: a
 * stored token must not go to a host that is named later. `keptSecret` keeps the secret that verifies calls.
 */
export function changeCredentials(provider: Provider, old: Credentials, given: Credentials): Credentials {
  const { names, required } = nearestMethod(provider, given);
  const gone = [...required, ...(provider.replaces?.(given) ?? []), provider.signing(old)?.name];
  return { ...onlyNamed(old, (name) => names.includes(name) && !gone.includes(name)), ...given };
}

/** The credentials without some. */
export const without = (credentials: Credentials, removed: readonly string[]): Credentials =>
  onlyNamed(credentials, (name) => !removed.includes(name));

const onlyNamed = (credentials: Credentials, isWanted: (name: string) => boolean): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => isWanted(name)));

/**
 * The schemas of the settings of a connection by OAuth, by name, such as the repository of a webhook: the credentials that are not secrets.
 * The app says which server grants the token. A setting that named another one would send the token there.
 */
function settingForms(provider: Provider): Map<string, z.ZodType> {
  const ofApp: readonly string[] = provider.oauth?.appFields ?? [];
  const forms = methodsOf(provider).flatMap(({ schema }) =>
    Object.entries(schema.shape as Record<string, z.ZodType>),
  );
  return new Map(forms.filter(([name, form]) => !isSecret(form) && !ofApp.includes(name)));
}

/** The stored settings that are not replaced by the given ones. */
export function keptSettings(provider: Provider, old: Credentials, given: Credentials): Credentials {
  const forms = settingForms(provider);
  const replaced = provider.replaces?.(given) ?? [];
  return onlyNamed(old, (name) => forms.has(name) && !replaced.includes(name));
}

/** Checks settings that are given without the secrets. */
export function checkSettings(provider: Provider, given: Record<string, unknown>): FaultDetail[] {
  const forms = settingForms(provider);
  return Object.entries(given).flatMap(([name, value]) => {
    const field = `settings.${name}`;
    const form = forms.get(name);
    if (!form) return [{ field, issue: unknownName(name, { known: [...forms.keys()], noun: 'field' }) }];
    const [issue] = form.safeParse(value).error?.issues ?? [];
    return issue ? [{ field, issue: issue.message }] : [];
  });
}
