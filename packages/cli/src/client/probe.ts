import type { TransportResponse } from '@hubline/sdk';
import { originOf } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { transportFor } from './create-client.ts';
import { Unreachable } from './unreachable.ts';

/** Sends a request without a key, and drops the body of the response. */
export async function probe(
  { env, signal, limits }: Pick<Context, 'env' | 'signal' | 'limits'>,
  url: string,
  accept = '*/*',
): Promise<Pick<TransportResponse, 'status' | 'headers'>> {
  const send = await transportFor(env, url);
  const { timeout } = await limits();
  try {
    const { status, headers, body } = await send({
      method: 'GET',
      url,
      headers: { accept, 'user-agent': 'hubline-cli' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    // A body that nobody reads would keep the connection, and with it this process. Ending what was not begun does nothing.
    const reading = body?.[Symbol.asyncIterator]();
    await reading?.next();
    await reading?.return?.();
    return { status, headers };
  } catch (error) {
    throw signal.aborted ? error : new Unreachable(url, error);
  }
}

/**
 * The base URL of the API at an address: as given, or with `/v1` behind it. It is asked without a key, so that a typing mistake shows no
 * key to a stranger.
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
        `${originOf(candidate)} is not ready: it answered ${status}.`,
        'Try again in a moment. See: hubline server status',
      );
    }
  }
  throw new CommandError(
    'unavailable',
    `${baseURL} answers, but not as Hubline does.`,
    'Check the address: that of the API ends in /v1, such as https://hub.example.com/v1.',
  );
}
