import type { FaultDetail } from '../domain/fault.ts';
import { unknownName } from '../domain/unknown-name.ts';
import type { Credentials, Provider } from './provider.ts';

/**
 * Checks credentials as they were given: their names, then their values, then what the provider itself asks of them. No
 * issue repeats a value.
 */
export function checkCredentials(provider: Provider, given: Credentials): FaultDetail[] {
  const { requiredCredentials, optionalCredentials } = provider;
  const known = [...requiredCredentials, ...optionalCredentials];
  const entries = Object.entries(given);
  const unknown = entries.filter(([name]) => !known.includes(name));
  const missing = requiredCredentials.filter((name) => !Object.hasOwn(given, name));
  const details = [
    // First, because what they should have been may be among those that are missing.
    ...unknown.map(([name]) => ({
      field: `credentials.${name}`,
      issue: unknownName(name, { known, noun: 'field' }),
    })),
    ...missing.map((name) => ({ field: `credentials.${name}`, issue: 'is required' })),
    ...entries.flatMap(([name, value]) => {
      const issue = known.includes(name) ? valueIssue(value) : null;
      return issue === null ? [] : [{ field: `credentials.${name}`, issue }];
    }),
  ];
  return details.length > 0 ? details : provider.checkCredentials(given);
}

function valueIssue(value: string): string | null {
  if (value === '') return 'must not be empty; leave it out instead';
  // Line breaks would end a header, NUL and lone surrogates would not survive storage.
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) return 'must not contain control characters';
  if (value.trim() !== value) return 'must not begin or end with white space';
  return null;
}
