import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Transport, TransportResponse } from '@hubline/sdk';

type Env = Readonly<Record<string, string | undefined>>;
type Send = (
  url: string,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
) => ClientRequest;

/**
 * A transport of the SDK on `node:http`: the default one uses `fetch`, and loading undici costs a command about 60 ms. Proxies come
 * from the environment (`HTTPS_PROXY`, `NO_PROXY`), as far as Node supports that (24.5 and later).
 */
export function nodeTransport(env: Env): Transport {
  const senders = new Map<string, { send: Send; agent: Agent }>();
  return ({ method, url, headers, body, signal }) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { protocol } = new URL(url);
      const sender = senders.get(protocol) ?? load(protocol, env);
      senders.set(protocol, sender);
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { method, headers: { ...headers, ...length }, agent: sender.agent, signal };
      const request = sender.send(url, options, (response) => {
        resolve({ status: response.statusCode ?? 0, headers: flatten(response), body: response });
      });
      request.once('error', reject);
      request.end(body);
    });
}

/** Only the module that the URL needs: `node:https` loads all of TLS. */
function load(protocol: string, env: Env): { send: Send; agent: Agent } {
  // An `import` of these modules builds their whole ESM face, which loads undici; this gives the same object without it.
  const module = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  return { send: module.request, agent: new module.Agent({ keepAlive: true, proxyEnv: { ...env } }) };
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
