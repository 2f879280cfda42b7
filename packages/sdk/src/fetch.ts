/** `@hubline/sdk/fetch` is the client over `fetch` and nothing else: the smallest entry point. */
import { Client } from './client.ts';
import type { Engine } from './core/engine.ts';
import { runner } from './run/runner.ts';
import { fetchTransport } from './transports/fetch.ts';

export { fetchTransport } from './transports/fetch.ts';

/**
 * `Hubline` of `@hubline/sdk`, which sends with {@link fetchTransport}. A bundle with it does not contain ky.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 * import { Hubline } from '@hubline/sdk/fetch';
 *
 * const client = new Hubline();
 * await client.me.get().catch((error: unknown) => console.error(isAPIError(error, 'unauthorized')));
 * ```
 */
export class Hubline extends Client {
  /** @internal */
  override engine(): Engine {
    return { transportOf: ({ fetch }) => fetchTransport(fetch), runner: () => runner };
  }
}
