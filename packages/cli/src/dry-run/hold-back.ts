import type { Middleware } from '@hubline/sdk';
import { isSecretName } from '../input/integration-input.ts';
import { parseJSON } from '../input/read-input.ts';
import { NotDone, type Step } from './steps.ts';

const MASK = '***';
/** Keys, tokens and signing secrets in our own format, anywhere in a text. */
const OWN_SECRETS = /\b(?:hl_[0-9A-Za-z]{36}|whsec_[\w+/=-]+)/g;

/** Lets reads through. A write is never sent: its body is checked, as the server would do first, and it is recorded. */
export function holdBack(steps: Step[], baseURL: string): Middleware {
  return async (request, next) => {
    const { method, url, headers, body } = request;
    if (method === 'GET') return next(request);
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length) : url;
    const { checkBody } = await import('@hubline/server');
    const [below = ''] = path.split('?');
    checkBody({ method, path: below, body: body === undefined ? {} : JSON.parse(body) });
    steps.push({
      what: `send ${method} ${path}`,
      method,
      path,
      idempotency_key: headers['idempotency-key'] ?? null,
      body: body === undefined ? null : masked(parseJSON(body)),
    });
    throw new NotDone();
  };
}

/** The fields around a value: whether one of them is secret, and the name of the nearest. */
interface Around {
  readonly secret: boolean;
  readonly parent: string;
}

/** Masks the secrets of a body, by their names and their form. */
export function masked(value: unknown, { secret, parent }: Around = { secret: false, parent: '' }): unknown {
  if (typeof value === 'string') return secret ? MASK : value.replace(OWN_SECRETS, MASK);
  if (Array.isArray(value)) return value.map((entry) => masked(entry, { secret, parent }));
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      masked(entry, { secret: secret || isSecretField(name, parent), parent: name }),
    ]),
  );
}

/** A `key` is a secret only among credentials: elsewhere messages are grouped by it, or it is a public key. */
const isSecretField = (name: string, parent: string): boolean =>
  name === 'key' ? parent === 'credentials' : isSecretName(name);
