import { LIMITS } from '@hubline/contract/constants';
import type { IncomingMessage } from 'node:http';
import { type Answer, type Send, unanswered } from './answer.ts';

/** A sender to a URL, by the rules of the delivery engine: 30 s for everything, 2xx is success, redirects are failures. */
export function postTo(url: URL): Send {
  // `import` would build the whole ESM face of the module, and load undici with it.
  const module = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new module.Agent({ keepAlive: true });
  return (body, headers, signal) =>
    new Promise<Answer>((resolve) => {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.attemptTimeoutMs)]);
      const request = module.request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal: stop,
      });
      const fail = (error: NodeJS.ErrnoException): void =>
        resolve(unanswered(signal.aborted ? 'stopped' : reasonOf(error, stop)));
      request.once('error', fail);
      request.once('response', (response) => {
        read(response).then((text) => resolve(answerOf(response, text)), fail);
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

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: string): Answer {
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
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'there is no such host',
};

function reasonOf(error: NodeJS.ErrnoException, stop: AbortSignal): string {
  if (stop.aborted) return 'no answer within 30 seconds';
  return REASONS[error.code ?? ''] ?? error.message;
}
