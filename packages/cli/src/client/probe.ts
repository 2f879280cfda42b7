import type { TransportResponse } from '@hubline/sdk';
import type { Context } from '../context.ts';
import { transportFor } from './transport.ts';
import { Unreachable } from './unreachable.ts';

/** Asks a URL without a key, and leaves the body: who answers, and how. */
export async function probe(
  { env, signal, limits }: Pick<Context, 'env' | 'signal' | 'limits'>,
  url: string,
  accept = '*/*',
): Promise<Pick<TransportResponse, 'status' | 'headers'>> {
  const send = await transportFor(env, url);
  const { timeout } = await limits();
  try {
    const { status, headers, body } = await send({
      method: 'GET',
      url,
      headers: { accept, 'user-agent': 'hubline-cli' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    // A body that nobody reads would keep the connection, and with it this process. Ending what was not begun does nothing.
    const reading = body?.[Symbol.asyncIterator]();
    await reading?.next();
    await reading?.return?.();
    return { status, headers };
  } catch (error) {
    throw signal.aborted ? error : new Unreachable(url, error);
  }
}
