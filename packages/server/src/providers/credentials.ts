import type { FaultDetail } from '../domain/fault.ts';
import type { Credentials, Provider } from './provider.ts';

const MAX_LENGTH = 4_096;

/**
 * Checks credentials as they were given: names and types, then what the provider itself asks of them. Unknown names are
 * refused, because silence would hide a mistyped secret. No issue repeats a value.
 */
export function checkCredentials(
  provider: Provider,
  given: Readonly<Record<string, unknown>>,
): FaultDetail[] {
  const { requiredCredentials, optionalCredentials } = provider;
  const known = [...requiredCredentials, ...optionalCredentials];
  const missing = requiredCredentials.filter((name) => !Object.hasOwn(given, name));
  const details = [
    ...missing.map((name) => ({ field: `credentials.${name}`, issue: 'is required' })),
    ...Object.entries(given).flatMap(([name, value]) => {
      const issue = known.includes(name) ? valueIssue(value) : unknownName(known);
      return issue === null ? [] : [{ field: `credentials.${name.slice(0, 100)}`, issue }];
    }),
  ];
  return details.length > 0 ? details : provider.checkCredentials(given as Credentials);
}

function unknownName(known: readonly string[]): string {
  return `is not a credential of this provider; it takes ${known.join(', ') || 'none'}`;
}

function valueIssue(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty; leave it out instead';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Line breaks would end a header, NUL and lone surrogates would not survive storage.
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) return 'must not contain control characters';
  if (value.trim() !== value) return 'must not begin or end with white space';
  return null;
}
