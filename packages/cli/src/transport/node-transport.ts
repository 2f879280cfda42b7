import { readFileSync } from 'node:fs';
import type { Agent, IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Transport, TransportResponse } from '@hubline/sdk';
import { usageError } from '../errors.ts';
import { fileReason } from '../file-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * A transport of the SDK on `node:http`, for the server of `baseURL`: the default one uses `fetch`, and loading undici costs a command
 * about 60 ms. Proxies come from the environment (`HTTPS_PROXY`, `NO_PROXY`), as far as Node supports that (24.5 and later).
 */
export function nodeTransport(env: Env, baseURL: string): Transport {
  const secure = baseURL.startsWith('https:');
  // Only the module that is needed: `node:https` loads all of TLS. An `import` of these modules builds their whole ESM face, which loads
  // undici; this gives the same object without it.
  const module = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const options: AgentOptions = { keepAlive: true, proxyEnv: { ...env }, ...(secure && authorities(env)) };
  const agent: Agent = new module.Agent(options);
  return ({ method, url, headers, body, signal }) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const request = module.request(
        url,
        { method, headers: { ...headers, ...length }, agent },
        (response) => {
          resolve({ status: response.statusCode ?? 0, headers: flatten(response), body: response });
        },
      );
      // Not Node's option `signal`: it makes an answer that nobody reads any more an uncaught error.
      const abort = () => {
        reject(signal.reason as Error);
        request.destroy();
      };
      request.on('error', reject);
      request.on('close', () => signal.removeEventListener('abort', abort));
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else request.end(body);
    });
}

/** Whom to trust. Node itself reads `SSL_CERT_FILE` only with an option of its own; other programs take it as it is. */
function authorities({ SSL_CERT_FILE: file }: Env): { ca?: string } {
  if (!file) return {};
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch (error) {
    throw usageError(`SSL_CERT_FILE cannot be read: ${fileReason(error)}.`);
  }
}

/** Headers as the SDK wants them: one text per name. */
function flatten({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
