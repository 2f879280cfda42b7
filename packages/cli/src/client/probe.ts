import type { TransportResponse } from '@hubline/sdk';
import { originOf } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { transportFor } from './create-client.ts';
import { Unreachable } from './unreachable.ts';

/** The beginning of a response. */
interface Probed extends Pick<TransportResponse, 'status' | 'headers'> {
  /** The first chunk of the body. */
  readonly text: string;
}

/** Sends a request without a key, and reads the beginning of the response. */
export async function probe(
  { env, signal, limits }: Pick<Context, 'env' | 'signal' | 'limits'>,
  url: string,
  accept = '*/*',
): Promise<Probed> {
  const send = await transportFor(env, url);
  const { timeout } = await limits();
  try {
    const { status, headers, body } = await send({
      method: 'GET',
      url,
      headers: { accept, 'user-agent': 'hubline-cli' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    // An unread body would keep the connection, and with it this process, alive. `return` ends a body only after its first read.
    const reading = body?.[Symbol.asyncIterator]();
    const first = await reading?.next();
    await reading?.return?.();
    return { status, headers, text: first?.done === false ? new TextDecoder().decode(first.value) : '' };
  } catch (error) {
    throw signal.aborted ? error : new Unreachable(url, error);
  }
}

/** The health of a server: `stranger` is one that responds, but is not Hubline. */
type Health = 'ok' | 'unavailable' | 'stranger';

/** Asks `/livez` or `/readyz` for the health of a server. Hubline sends it in the body, which is short enough for one chunk. */
export async function askHealth(
  ctx: Pick<Context, 'env' | 'signal' | 'limits'>,
  url: string,
): Promise<{ health: Health } & Probed> {
  const response = await probe(ctx, url, 'application/json');
  return { ...response, health: healthIn(response) };
}

const HEALTH: Readonly<Record<number, Health>> = { 200: 'ok', 503: 'unavailable' };

function healthIn({ status: code, text }: Probed): Health {
  const expected = HEALTH[code];
  try {
    const body: unknown = JSON.parse(text);
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined;
    return expected !== undefined && status === expected ? expected : 'stranger';
  } catch {
    return 'stranger';
  }
}

/**
 * The base URL of the API at an address: as given, or with `/v1` appended. The server is asked without a key, so that a typing mistake
 * sends no key to another server.
 */
export async function findServer(ctx: Context, baseURL: string): Promise<string> {
  const candidates = /\/v\d+$/.test(baseURL) ? [baseURL] : [baseURL, `${baseURL}/v1`];
  for (const candidate of candidates) {
    const { status, headers } = await probe(ctx, `${candidate}/me`, 'application/json');
    const json = headers['content-type']?.startsWith('application/json') === true;
    if (json && status === 401) return candidate;
    if (json && (status === 429 || status >= 500)) {
      throw new CommandError(
        'unavailable',
        `${originOf(candidate)} is not ready: it responded with ${status}.`,
        'Try again in a moment. See: hubline server status',
      );
    }
  }
  throw new CommandError(
    'unavailable',
    `${baseURL} responds, but it is not Hubline.`,
    "Check the address: the API's ends in /v1, such as https://hub.example.com/v1.",
  );
}
