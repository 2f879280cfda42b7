import { HEADERS } from '@hubline/contract/constants';
import type { Hubline, Logger, Middleware, Transport } from '@hubline/sdk';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AgentOptions } from 'node:https';
import type { Context } from '../context.ts';
import { isLoopback } from '../config/base-url.ts';
import { isSet } from '../config/settings.ts';
import { usageError } from '../errors/errors.ts';
import { fileReason, unreadable } from '../errors/file-error.ts';
import { parseJSON } from '../input/read-input.ts';
import { visible } from '../terminal/text.ts';
import { version } from '../about.ts';
import { STREAM, type StreamWatch, watchStream } from './outage.ts';
import { explaining } from './unreachable.ts';

const REQUEST_ID = HEADERS.requestId.toLowerCase();

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The SDK's transport over `node:http`, with proxies from the environment of the command (`HTTPS_PROXY`, `NO_PROXY`) if Node
 * {@link canProxy supports that}, and with `SSL_CERT_FILE`. This machine is never reached through a proxy: the proxy would read the key,
 * and find another machine at the address.
 */
export async function transportFor(env: Env, baseURL: string): Promise<Transport> {
  const { nodeTransport } = await import('@hubline/sdk/node');
  const secure = baseURL.startsWith('https:');
  // Loads only the module that is needed: `node:https` loads all of TLS. An `import` of these modules builds their whole ESM namespace,
  // which loads undici; `getBuiltinModule` returns the same object without it.
  const { Agent } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const proxied = !isLoopback(new URL(baseURL).hostname);
  const options: AgentOptions = {
    keepAlive: true,
    ...(proxied && { proxyEnv: { ...env } }),
    ...(secure && authorities(env)),
  };
  const agent = new Agent(options);
  return nodeTransport({ agent: () => agent });
}

/** True on Node.js 22.21, on 24.5, and on later ones. Others ignore `proxyEnv`. */
export const canProxy = (): boolean => process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

/** Certificates to trust. Node itself reads `SSL_CERT_FILE` only with a special option; other programs always do. */
function authorities({ SSL_CERT_FILE: file, NODE_EXTRA_CA_CERTS: extra }: Env): { ca?: string[] } {
  if (!file) return {};
  // The list replaces Node's own, so it includes the extra certificates.
  const files = { SSL_CERT_FILE: file, ...(extra && { NODE_EXTRA_CA_CERTS: extra }) };
  return { ca: Object.entries(files).map(([name, path]) => certificatesIn(name, path)) };
}

function certificatesIn(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(
      `${file} of ${name}`,
      error,
      'Check the path and its permissions, or unset the variable.',
    );
  }
}

interface Connection {
  readonly baseURL: string;
  readonly apiKey: string | null;
  readonly transport?: Transport;
  /** Middleware that wraps the middleware of every client. */
  readonly middleware?: readonly Middleware[];
}

/** A client of the SDK. With `apiKey: null`, it can accept invitations, and nothing else. */
export async function createClient(
  ctx: Context,
  { baseURL, apiKey, transport, middleware = [] }: Connection,
): Promise<Hubline> {
  const { env, globals, steps } = ctx;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && baseURL.startsWith('https:')) {
    await ctx.warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks: anybody on the network can read your key.',
    );
  }
  const { timeout, retries, maxWait } = await ctx.limits();
  const { Hubline } = await import('@hubline/sdk/node');
  const stream = watchStream(ctx);
  return new Hubline({
    apiKey,
    baseURL,
    timeout,
    maxRetries: retries,
    maxRetryAfter: maxWait,
    headers: { 'user-agent': `hubline-cli/${version}` },
    parseJSON,
    transport: explaining(transport ?? (await transportFor(env, baseURL))),
    middleware: [
      ...middleware,
      stream.middleware,
      // Outside the log, so that a held-back request is neither logged nor sent.
      ...(globals.dryRun ? [(await import('../dry-run/hold-back.ts')).holdBack(steps, baseURL)] : []),
      ...(isVerbose(ctx) ? [requestLog(ctx)] : []),
      ...(globals.requestIdFile === undefined ? [] : [requestIdFile(globals.requestIdFile)]),
    ],
    logger: logger(ctx, stream),
    logLevel: ctx.io.stderr.isTTY || isVerbose(ctx) ? 'info' : 'warn',
  });
}

const isVerbose = ({ globals, env }: Context): boolean => globals.verbose || isSet(env, 'HUBLINE_DEBUG');

/** The lines of `--verbose`. Headers and bodies carry secrets, so they are not shown at all. */
function requestLog(ctx: Context): Middleware {
  return async (request, next, { attempt }) => {
    const started = ctx.now();
    const { pathname, search } = new URL(request.url);
    const line = `${request.method} ${pathname}${search}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
    await ctx.io.stderr.write(`> ${visible(line)}\n`);
    const response = await next(request);
    const id = response.headers[REQUEST_ID] ?? '';
    await ctx.io.stderr.write(`< ${response.status} ${visible(id)} ${ctx.now() - started} ms\n`);
    return response;
  };
}

/** Keeps the ID of the last request in a file: with it, the request can be found in the server's log. */
function requestIdFile(path: string): Middleware {
  const refuse = (error: unknown): never => {
    throw usageError(
      `--request-id-file ${path} cannot be written: ${fileReason(error)}.`,
      'Choose another path.',
    );
  };
  return async (request, next) => {
    const { descriptorOf, writeAll } = await import('../output/descriptor.ts');
    const descriptor = await descriptorOf(path);
    const keep = async (text: string): Promise<void> => {
      if (descriptor === null) writeFileSync(path, text);
      // Writing to its path would replace what a shell has written there.
      else await writeAll(descriptor, Buffer.from(text));
    };
    // Written first, so that no request is sent if its ID could not be kept.
    await keep('').catch(refuse);
    const response = await next(request);
    await keep(`${response.headers[REQUEST_ID] ?? ''}\n`).catch(refuse);
    return response;
  };
}

/** The SDK's log as notes for people: an unexplained wait looks like a hang. */
function logger(ctx: Context, stream: StreamWatch): Logger {
  const say = (message: string, fields: Record<string, unknown>): void => {
    // Outages of an open stream are reported once, not at every attempt.
    const streams = STREAM.test(`${String(fields['operation'])} ${message}`);
    if (streams && stream.isOpen() && !isVerbose(ctx)) return;
    const wait = fields['wait_ms'];
    const text = message
      .replace(/^hubline: /, '')
      .replace(/^\S+ will reconnect$/, 'The connection to the stream was lost. Connecting again')
      .replace(/^(.*) will be retried$/, '$1 failed. Trying again');
    void ctx.note(visible(typeof wait === 'number' ? `${text} in ${(wait / 1_000).toFixed(1)} s.` : text));
  };
  return { debug: say, info: say, warn: say, error: say };
}
