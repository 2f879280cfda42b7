import { HublineError } from '../core/errors.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Header names compare in any case: one spelling lets a later one win over an earlier. `undefined` wins over nothing. */
export function lowerCase(headers: Headers = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}

/** What HTTP lets through (RFC 9110, 5.1 and 5.5). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Refuses what no transport can send. `fetch` would call it a failure of the network, and repeat the value in its message. */
export function assertHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) {
    if (NAME.test(name) && typeof value === 'string' && VALUE.test(value)) continue;
    throw new HublineError(`The header ${JSON.stringify(name)} must be one line of Latin-1 text.`);
  }
}
