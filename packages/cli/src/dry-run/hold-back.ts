import { API_KEY_PATTERN } from '@hubline/contract/constants';
import type { Middleware, TransportRequest, TransportResponse } from '@hubline/sdk';
import { isSecretName } from '../input/integration-input.ts';
import { parseJSON } from '../input/read-input.ts';
import { NotDone, type Step } from './steps.ts';

const MASK = '***';
/** Keys, tokens and signing secrets in our own format, anywhere in a text. */
const OWN_SECRETS = new RegExp(String.raw`\b(?:${API_KEY_PATTERN}|whsec_[\w+/=-]+)`, 'g');

/**
 * Lets reads through. Checks the body of a write as the server would first, looks up what the request names, and records it. It is
 * never sent.
 */
export function holdBack(steps: Step[], baseURL: string): Middleware {
  const found = new Map<string, boolean>();
  return async (request, next) => {
    const { method, url, headers, body } = request;
    if (method === 'GET') return next(request);
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length) : url;
    const { checkBody } = await import('@hubline/server');
    /** Reports whether a thing is there. If not, and the write is `about` it, this answer is that of the write; so is any other error. */
    const lookUp = async (place: string, about: boolean): Promise<boolean> => {
      const known = found.get(place);
      if (known === true || (known === false && !about)) return known;
      const response = await next(reading(request, `${baseURL}${place}`));
      if (!passes(response) && (about || response.status !== 404)) throw new Answered(response);
      // The connection is free only after the whole response.
      for await (const _ of response.body ?? []);
      found.set(place, passes(response));
      return passes(response);
    };
    try {
      const [below = ''] = path.split('?');
      const sent: unknown = body === undefined ? {} : JSON.parse(body);
      const place = await checkBody({ method, path: below, body: sent }, (each) => lookUp(each, false));
      if (place !== null) await lookUp(place, true);
    } catch (error) {
      if (error instanceof Answered) return error.response;
      throw error;
    }
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

/** Thrown with a response to a look-up that becomes the response to the write. */
class Answered extends Error {
  readonly response: TransportResponse;

  constructor(response: TransportResponse) {
    super('Answered');
    this.response = response;
  }
}

/** A key that may write need not be allowed to read. */
const passes = ({ status }: TransportResponse): boolean => status < 400 || status === 403;

/** A look-up with the headers of a write, without those that belong to its body. */
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

/** A `key` is a secret only among credentials: elsewhere messages are grouped by it, or it is a public key. */
const isSecretField = (name: string, parent: string): boolean =>
  name === 'key' ? parent === 'credentials' : isSecretName(name);
