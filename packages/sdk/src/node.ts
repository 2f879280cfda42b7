/** `@hubline/sdk/node` is the client over `node:http` and nothing else. */
import { Client } from './client.ts';
import type { Engine } from './core/engine.ts';
import { HublineError } from './core/errors.ts';
import { runner } from './run/runner.ts';
import { nodeTransport } from './transports/node.ts';

export { nodeTransport, type NodeTransportOptions } from './transports/node.ts';

/**
 * `Hubline` of `@hubline/sdk`, which sends with {@link nodeTransport}. A bundle with it does not contain ky. It takes no `fetch`.
 *
 * @example
 * ```ts
 * import { Agent } from 'node:https';
 * import { Hubline, nodeTransport } from '@hubline/sdk/node';
 *
 * const agent = new Agent({ keepAlive: true, maxSockets: 20 });
 * const client = new Hubline({ transport: nodeTransport({ agent: () => agent }) });
 * ```
 */
export class Hubline extends Client {
  /** @internal */
  override engine(): Engine {
    return { transportOf: ({ fetch }) => (fetch ? refuse() : nodeTransport()), runner: () => runner };
  }
}

const refuse = (): never => {
  throw new HublineError('@hubline/sdk/node sends without fetch: import Hubline from @hubline/sdk instead.');
};
