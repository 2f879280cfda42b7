import type { IngestRequest } from '../../provider.ts';
import type { Verification } from '../definition.ts';

/** The names of the headers that prove a call. */
export function verificationHeaders(rules: Verification): string[] {
  if (rules.kind === 'basic') return ['authorization'];
  if (!('header' in rules)) return [];
  const signed = 'timestamp' in rules ? rules.timestamp?.header : undefined;
  const id = 'id_header' in rules ? rules.id_header : undefined;
  return [rules.header, signed, id].filter((name) => name !== undefined).map((name) => name.toLowerCase());
}

/** The value of a header that a user has named. The name may be that of a property of all objects, such as `constructor`. */
export function headerIn(headers: IngestRequest['headers'], name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(headers, lower) ? headers[lower] : undefined;
}
