import { readFileSync } from 'node:fs';
import type { AgentOptions } from 'node:https';
import type { Transport } from '@hubline/sdk';
import { usageError } from '../errors.ts';
import { fileReason } from '../file-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The SDK's transport over `node:http`, with proxies from the environment of the command (`HTTPS_PROXY`, `NO_PROXY`), as far as
 * Node supports that (24.5 and later), and with `SSL_CERT_FILE`.
 */
export async function transportFor(env: Env, baseURL: string): Promise<Transport> {
  const { nodeTransport } = await import('@hubline/sdk/node');
  const secure = baseURL.startsWith('https:');
  // Only the module that is needed: `node:https` loads all of TLS. An `import` of these modules builds their whole ESM face, which loads
  // undici; this gives the same object without it.
  const { Agent } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const options: AgentOptions = { keepAlive: true, proxyEnv: { ...env }, ...(secure && authorities(env)) };
  const agent = new Agent(options);
  return nodeTransport({ agent: () => agent });
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
