import { CREDENTIALS } from '@hubline/contract';
import { z } from 'zod';
import type { FaultDetail } from '../domain/faults/fault.ts';
import { unknownName } from '../domain/faults/unknown-name.ts';
import type { Credentials, Provider } from './provider.ts';

/** The form of every credential of a provider, by its name. */
const formsOf = (provider: Provider) => CREDENTIALS[provider.key].shape as Record<string, z.ZodType>;

const namesOf = (provider: Provider, { optional }: { optional: boolean }) =>
  Object.entries(formsOf(provider)).flatMap(([name, form]) =>
    form instanceof z.ZodOptional === optional ? [name] : [],
  );

/** The names of the credentials that a provider needs. Specification, "Available integration provider". */
export const requiredCredentials = (provider: Provider): string[] => namesOf(provider, { optional: false });

/** The names of those that may be given as well. */
export const optionalCredentials = (provider: Provider): string[] => namesOf(provider, { optional: true });

/**
 * Checks credentials as they were given: their names, then their values, then what the provider itself asks of them. No
 * issue repeats a value.
 */
export function checkCredentials(provider: Provider, given: Credentials): FaultDetail[] {
  const forms = formsOf(provider);
  const known = Object.keys(forms);
  const entries = Object.entries(given);
  const unknown = entries.filter(([name]) => !known.includes(name));
  const missing = requiredCredentials(provider).filter((name) => !Object.hasOwn(given, name));
  const details = [
    // First, because what they should have been may be among those that are missing.
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
