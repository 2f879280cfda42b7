import type { TransportResponse } from '@hubline/sdk';
import type { Context } from '../context.ts';
import { nodeTransport } from '../transport/node-transport.ts';

const PATIENCE_MS = 10_000;

/** Asks a URL without a key, and leaves the body: what answers, and how. */
export async function probe(
  { env, signal }: Pick<Context, 'env' | 'signal'>,
  url: string,
  accept = '*/*',
): Promise<Pick<TransportResponse, 'status' | 'headers'>> {
  const send = nodeTransport(env, url);
  const { status, headers, body } = await send({
    method: 'GET',
    url,
    headers: { accept, 'user-agent': 'hubline-cli' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  // A body that nobody reads would keep the connection, and with it this process. Ending what was not begun does nothing.
  const reading = body?.[Symbol.asyncIterator]();
  await reading?.next();
  await reading?.return?.();
  return { status, headers };
}
