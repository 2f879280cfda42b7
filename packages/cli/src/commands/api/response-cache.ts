import type { Hubline, Method, Middleware, TransportRequest, TransportResponse } from '@hubline/sdk';
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { dirname, join } from 'node:path';
import { createClient } from '../../client/create-client.ts';
import { makeDirectory } from '../../config/make-directory.ts';
import { requireApiKey } from '../../config/settings.ts';
import { replaceFile } from '../../config/write-config.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';

/** A stored response. */
interface Kept {
  readonly stored_at: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Options {
  /** A folder of its own, whose files are removed when they are too old. */
  readonly folder: string;
  /** Time for which a response is used again, in milliseconds. */
  readonly maxAge: number;
  readonly now: () => number;
}

/**
 * Answers a GET from a file while the file is fresh. A file is named by one hash over request, server and key, so that neither the key nor
 * a hash of the key alone is stored. Its modification time is its expiry, after which it is removed.
 */
function responseCache({ folder, maxAge, now }: Options): Middleware {
  return async (request, next) => {
    const file = join(folder, nameOf(request));
    const kept = await read(file);
    if (kept && now() - kept.stored_at < maxAge && now() >= kept.stored_at) return asResponse(kept);
    const response = await next(request);
    if (response.status !== 200) return response;
    const { status, headers } = response;
    const fresh: Kept = { stored_at: now(), status, headers, body: await textOf(response) };
    await prune(folder, now());
    await write(file, { text: JSON.stringify(fresh), until: new Date(now() + maxAge) });
    return asResponse(fresh);
  };
}

/** Headers count, too: another `Accept` gets another response. */
function nameOf({ method, url, headers }: TransportRequest): string {
  const identity = JSON.stringify([method, url, headers]);
  return `${createHash('sha256').update(identity).digest('hex')}.json`;
}

const asResponse = ({ status, headers, body }: Kept): TransportResponse => ({
  status,
  headers,
  body: (async function* () {
    yield Buffer.from(body);
  })(),
});

async function textOf({ body }: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A file that cannot be read, or is damaged, counts as absent. */
async function read(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await promises.readFile(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

/** Keeps a response. If that fails, the server is asked again next time. */
async function write(file: string, { text, until }: { text: string; until: Date }): Promise<void> {
  try {
    makeDirectory(dirname(file), 0o700);
    await replaceFile(file, text);
    await promises.utimes(file, until, until);
  } catch {
    return;
  }
}

async function prune(folder: string, now: number): Promise<void> {
  const names = await promises.readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await promises.stat(path).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now) await promises.rm(path, { force: true }).catch(() => undefined);
  }
}

/** A client for one read that may be answered from the cache. */
export async function cachingClient(ctx: Context, method: Method, maxAge: number): Promise<Hubline> {
  if (method !== 'GET')
    throw usageError('--cache is for GET: a write has to reach the server.', 'Leave it out.');
  if (ctx.cache === undefined) {
    throw usageError(
      'There is no place to keep responses.',
      'Set HOME or XDG_CACHE_HOME, or leave out --cache.',
    );
  }
  const settings = await ctx.settings();
  return createClient(ctx, {
    baseURL: settings.baseUrl.value,
    apiKey: requireApiKey(settings),
    middleware: [responseCache({ folder: join(ctx.cache, 'responses'), maxAge, now: ctx.now })],
  });
}
