import { API_KEY_PATTERN } from '@hubline/contract/constants';
import type { Middleware, TransportRequest, TransportResponse } from '@hubline/sdk';
import { isSecretName } from '../input/integration-input.ts';
import { parseJSON } from '../input/read-input.ts';
import { NotDone, type Step } from './steps.ts';

const MASK = '***';
/** Keys, tokens and signing secrets in our own format, anywhere in a text. */
const OWN_SECRETS = new RegExp(String.raw`\b(?:${API_KEY_PATTERN}|whsec_[\w+/=-]+)`, 'g');

/**
 * Lets reads through. Never sends a write: checks its body as the server would, looks up the things that it names, and records it as
 * a step.
 */
export function holdBack(steps: Step[], baseURL: string): Middleware {
  const found = new Map<string, boolean>();
  return async (request, next) => {
    const { method, url, headers, body } = request;
    if (method === 'GET') return next(request);
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length) : url;
    const { checkBody } = await import('@hubline/server');
    /**
     * Reports whether the thing at a path exists. The write gets the response to this lookup if that is an error other than 404, or
     * a 404 for the thing that the write is `about`.
     */
    const lookUp = async (target: string, about: boolean): Promise<boolean> => {
      const known = found.get(target);
      if (known === true || (known === false && !about)) return known;
      const response = await next(reading(request, `${baseURL}${target}`));
      if (!passes(response) && (about || response.status !== 404)) throw new LookUpFailed(response);
      // The connection is free only after the whole response.
      for await (const _ of response.body ?? []);
      found.set(target, passes(response));
      return passes(response);
    };
    let what: string;
    try {
      const [below = ''] = path.split('?');
      const sent: unknown = body === undefined ? {} : JSON.parse(body);
      const { summary, target } = await checkBody({ method, path: below, body: sent }, (each) =>
        lookUp(each, false),
      );
      if (target !== null) await lookUp(target, true);
      what = inWords(summary, `${method} ${path}`);
    } catch (error) {
      if (error instanceof LookUpFailed) return error.response;
      throw error;
    }
    steps.push({
      what,
      method,
      path,
      idempotency_key: headers['idempotency-key'] ?? null,
      body: body === undefined ? null : masked(parseJSON(body)),
    });
    throw new NotDone();
  };
}

/** `register a webhook: POST /webhooks`, to follow "would". */
const inWords = (summary: string | null, request: string): string =>
  summary === null
    ? `send ${request}`
    : `${summary.charAt(0).toLowerCase()}${summary.slice(1).replace(/\.$/, '')}: ${request}`;

/** Thrown with the response to a lookup that becomes the response to the write. */
class LookUpFailed extends Error {
  readonly response: TransportResponse;

  constructor(response: TransportResponse) {
    super('The lookup failed');
    this.response = response;
  }
}

/** A key that may write need not be allowed to read. */
const passes = ({ status }: TransportResponse): boolean => status < 400 || status === 403;

/** A lookup with the headers of a write, without those that belong to its body. */
function reading({ headers, signal }: TransportRequest, url: string): TransportRequest {
  const { 'idempotency-key': _, 'content-type': __, ...rest } = headers;
  return { method: 'GET', url, headers: rest, signal };
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

/** A `key` is a secret only among credentials. Elsewhere it may group messages, or be a public key. */
const isSecretField = (name: string, parent: string): boolean =>
  name === 'key' ? parent === 'credentials' : isSecretName(name);
