import type { Middleware } from '@hubline/sdk';
import { isSecretName } from '../input/integration-input.ts';
import { parseJSON } from '../input/read-input.ts';
import { NotDone, type Step } from './steps.ts';

const MASK = '***';
/** Keys, tokens and signing secrets in our own format, anywhere in a text. */
const OWN_SECRETS = /\b(?:hl_[0-9A-Za-z]{36}|whsec_[\w+/=-]+)/g;

/** Lets reads through. Records a write, and never sends it. */
export function holdBack(steps: Step[], baseURL: string): Middleware {
  return async (request, next) => {
    const { method, url, headers, body } = request;
    if (method === 'GET') return next(request);
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length) : url;
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

/** Masks the secrets of a body, by their names and their form. */
export function masked(value: unknown, secret = false): unknown {
  if (typeof value === 'string') return secret ? MASK : value.replace(OWN_SECRETS, MASK);
  if (Array.isArray(value)) return value.map((entry) => masked(entry, secret));
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, masked(entry, secret || isSecretName(name))]),
  );
}
