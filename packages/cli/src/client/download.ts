import { isLoopback } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { version } from '../version.ts';
import { transportFor } from './create-client.ts';
import { Unreachable } from './unreachable.ts';

const MOST_REDIRECTS = 5;

/**
 * Reads the file at an address, wherever that leads, in parts. The time limit of a request applies to silence here: how long the
 * whole takes depends on the line.
 */
export async function* download(
  { env, signal, limits }: Pick<Context, 'env' | 'signal' | 'limits'>,
  address: string,
): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  const { timeout } = await limits();
  const watch = setTimeout(() => {
    silence.abort(new DOMException('Nothing came in time.', 'TimeoutError'));
  }, timeout);
  const ended = AbortSignal.any([signal, silence.signal]);
  let begun = false;
  try {
    for await (const part of follow(env, new URL(address), ended)) {
      begun = true;
      watch.refresh();
      yield part;
    }
  } catch (error) {
    if (signal.aborted || error instanceof CommandError) throw error;
    if (!begun) throw new Unreachable(address, error);
    throw new CommandError('unavailable', `The download of ${address} was cut off.`, 'Try again.');
  } finally {
    clearTimeout(watch);
  }
}

async function* follow(env: Context['env'], url: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let at = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const send = await transportFor(env, at.href);
    const headers = { accept: '*/*', 'user-agent': `hubline-cli/${version}` };
    const answer = await send({ method: 'GET', url: at.href, headers, signal });
    if (answer.status === 200) {
      yield* answer.body ?? [];
      return;
    }
    // Ends the connection.
    for await (const _ of answer.body ?? []) break;
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined)
      throw refused(at, answer.status);
    at = next(at, location);
  }
  throw new CommandError(
    'unavailable',
    `${url.href} leads elsewhere again and again.`,
    'Check HUBLINE_UPGRADE_URL.',
  );
}

/** Refuses redirects to plain HTTP: somebody on the way could hide that there is a newer version. */
function next(at: URL, location: string): URL {
  const url = URL.parse(location, at.href);
  const kept = url?.protocol === 'https:' || (at.protocol === 'http:' && isLoopback(url?.hostname ?? ''));
  if (url && kept) return url;
  throw new CommandError(
    'unavailable',
    `${at.href} leads to ${location}, which is not safe.`,
    'Use an address whose redirects stay on https://.',
  );
}

function refused(at: URL, status: number): CommandError {
  return status === 404
    ? new CommandError('not_found', `There is no file ${at.href}.`, 'Check the address.')
    : new CommandError('unavailable', `${at.host} answered ${status} for ${at.href}.`, 'Try again later.');
}

/** Reads a short file as a whole. Refuses one that is longer than `most` bytes. */
export async function downloadShort(ctx: Context, address: string, most: number): Promise<Buffer> {
  const { timeout } = await ctx.limits();
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(timeout)]);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of download({ ...ctx, signal }, address)) {
    bytes += part.byteLength;
    if (bytes > most)
      throw new CommandError('unavailable', `${address} is longer than ${most} bytes.`, 'Check the address.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
