import type { TransportResponse } from '@hubline/sdk';
import { isLoopback, shownAddress } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { version } from '../about.ts';
import { transportFor } from './create-client.ts';
import { Unreachable } from './unreachable.ts';

const MOST_REDIRECTS = 5;

/**
 * Reads a file of a release in parts, following redirects. The time limit of a request applies to silence here, because the time for the
 * whole depends on the connection; `short` files must be complete by then.
 */
export async function* download(
  { env, signal, limits }: Pick<Context, 'env' | 'signal' | 'limits'>,
  address: string,
  { short = false } = {},
): AsyncGenerator<Uint8Array> {
  const late = new AbortController();
  const { timeout } = await limits();
  const limit = setTimeout(() => {
    late.abort(new DOMException('No data arrived in time.', 'TimeoutError'));
  }, timeout);
  const ended = AbortSignal.any([signal, late.signal]);
  let begun = false;
  try {
    for await (const part of follow(env, new URL(address), ended)) {
      begun = true;
      if (!short) limit.refresh();
      yield part;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CommandError || error instanceof Unreachable) throw error;
    // If this process closed the connection, the reason is in the signal, not in `error`.
    if (!begun) throw new Unreachable(address, late.signal.aborted ? late.signal.reason : error, cureOf(env));
    throw late.signal.aborted
      ? new CommandError(
          'unavailable',
          `The download of ${shownAddress(address)} timed out: it ${short ? 'took' : 'stalled for'} longer than ${timeout / 1000} s.`,
          'Try again, or allow more time with --timeout.',
        )
      : new CommandError(
          'unavailable',
          `The download of ${shownAddress(address)} was cut off.`,
          'Try again.',
        );
  } finally {
    clearTimeout(limit);
  }
}

/** The hint about the URL of releases. Nobody types that URL, so the hint says where it comes from. */
function cureOf({ HUBLINE_UPGRADE_URL: named }: Context['env']): string {
  return named
    ? 'HUBLINE_UPGRADE_URL names this source of releases: check it, or unset it to use GitHub.'
    : 'Check the network and the proxy (hubline help environment), or name another source of releases in HUBLINE_UPGRADE_URL.';
}

async function* follow(env: Context['env'], url: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let at = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await ask(env, at.href, signal);
    if (response.status === 200) {
      yield* response.body ?? [];
      return;
    }
    // Ends the connection.
    for await (const _ of response.body ?? []) break;
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined)
      throw refused(at, response.status);
    at = next(at, location);
  }
  throw new CommandError(
    'unavailable',
    `${shownAddress(url)} redirects too many times.`,
    'Check HUBLINE_UPGRADE_URL.',
  );
}

async function ask(env: Context['env'], url: string, signal: AbortSignal): Promise<TransportResponse> {
  const send = await transportFor(env, url);
  const headers = { accept: '*/*', 'user-agent': `hubline-cli/${version}` };
  try {
    return await send({ method: 'GET', url, headers, signal });
  } catch (error) {
    throw new Unreachable(url, error, cureOf(env));
  }
}

/** Refuses redirects to plain HTTP: somebody on the way could hide that there is a newer version. */
function next(at: URL, location: string): URL {
  const url = URL.parse(location, at.href);
  const kept = url?.protocol === 'https:' || (at.protocol === 'http:' && isLoopback(url?.hostname ?? ''));
  if (url && kept) return url;
  throw new CommandError(
    'unavailable',
    `${shownAddress(at)} leads to ${shownAddress(location)}, which is not safe.`,
    'Use an address whose redirects stay on https://.',
  );
}

function refused(at: URL, status: number): CommandError {
  return status === 404
    ? new CommandError('not_found', `There is no file ${shownAddress(at)}.`, 'Check the address.')
    : new CommandError(
        'unavailable',
        `${at.host} responded with ${status} for ${shownAddress(at)}.`,
        'Try again later.',
      );
}

/** Reads a short file as a whole. Refuses one that is longer than `most` bytes. */
export async function downloadShort(ctx: Context, address: string, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of download(ctx, address, { short: true })) {
    bytes += part.byteLength;
    if (bytes > most)
      throw new CommandError(
        'unavailable',
        `${shownAddress(address)} is longer than ${most} bytes.`,
        'Check the address.',
      );
    parts.push(part);
  }
  return Buffer.concat(parts);
}
