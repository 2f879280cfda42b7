import { originOf } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors.ts';
import { probe } from './probe.ts';

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
