import { LIMITS } from '@hubline/contract/constants';
import type { IncomingMessage } from 'node:http';
import { isLoopback, parseAddress } from '../config/base-url.ts';
import type { Context } from '../context.ts';
import { masked } from '../dry-run/hold-back.ts';
import { NotDone } from '../dry-run/steps.ts';
import { usageError } from '../errors/errors.ts';
import { parseJSON } from '../input/read-input.ts';
import { type CallResult, type Send, noResponse } from './forward.ts';

/** Checks the address to forward to, typed as a URL, as `localhost:3000` or as a port. It must be this machine, unless `--allow-remote` is given. */
export function parseTarget(text: string, allowRemote: boolean): URL {
  const port = /^:?(\d{1,5})(\/.*)?$/.exec(text);
  const url = parseAddress(port ? `localhost:${port[1]}${port[2] ?? ''}` : text);
  if (!url) {
    throw usageError(
      `The target is not a URL: "${text}".`,
      'Give a URL such as http://localhost:3000/hook, or a port such as 3000.',
    );
  }
  if (!allowRemote && !isLoopback(url.hostname)) {
    throw usageError(
      `${url.host} is not this machine, and payloads can be confidential.`,
      'To forward there anyway, add --allow-remote.',
    );
  }
  return url;
}

/** A sender to a URL, by the rules of the delivery engine: 30 s for everything, 2xx is success, redirects are failures. */
export function postTo(url: URL): Send {
  // `import` would build the whole ESM interface of the module, and load undici with it.
  const module = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new module.Agent({ keepAlive: true });
  return (body, headers, signal) =>
    new Promise<CallResult>((resolve) => {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.attemptTimeoutMs)]);
      const request = module.request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal: stop,
      });
      const fail = (error: NodeJS.ErrnoException): void =>
        resolve(noResponse(signal.aborted ? 'stopped' : reasonOf(error, stop)));
      request.once('error', fail);
      request.once('response', (response) => {
        read(response).then((text) => resolve(resultOf(response, text)), fail);
      });
      request.end(body);
    });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= LIMITS.responseReadBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, LIMITS.responseKeepBytes).toString('utf8');
}

function resultOf({ statusCode = 0, headers }: IncomingMessage, body: string): CallResult {
  const ok = statusCode >= 200 && statusCode < 300;
  const redirect = statusCode >= 300 && statusCode < 400;
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    status: statusCode,
    ok,
    error: redirect ? 'redirects are not followed' : null,
    headers: Object.fromEntries(flat),
    body,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed without a response',
  ENOTFOUND: 'there is no such host',
};

function reasonOf(error: NodeJS.ErrnoException, stop: AbortSignal): string {
  if (stop.aborted) return `no response within ${LIMITS.attemptTimeoutMs / 1_000} seconds`;
  return REASONS[error.code ?? ''] ?? error.message;
}

/** A sender to a URL; in a dry run, one that only notes what it would send. */
export function sendTo({ globals, steps }: Context, url: URL): Send {
  if (!globals.dryRun) return postTo(url);
  return async (body) => {
    steps.push({
      what: `call ${url.href}`,
      method: 'POST',
      path: url.href,
      idempotency_key: null,
      body: masked(parseJSON(body)),
    });
    throw new NotDone();
  };
}
