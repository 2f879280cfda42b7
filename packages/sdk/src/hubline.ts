import { Client } from './client.ts';
import type { Engine } from './core/engine.ts';
import { lateRunner } from './run/late-runner.ts';
import { kyTransport } from './transports/ky.ts';

/**
 * A client of the Hubline API: a group of methods for each kind of resource. A method takes the IDs of its path, then the body or
 * query, then {@link RequestOptions}; it returns an {@link ApiPromise}, or a {@link PagePromise} for a list.
 * Create a key on the dashboard's API keys page, or with `hubline key create`.
 *
 * On Node it sends over `node:http`, everywhere else with ky over `fetch`. `@hubline/sdk/fetch`, `@hubline/sdk/ky` and
 * `@hubline/sdk/node` have the same client with that one transport, for a bundle without the others.
 *
 * @throws {@link HublineError} for a missing or malformed key, an unusable base URL, or in a web page.
 *
 * @example
 * ```ts
 * import { Hubline } from '@hubline/sdk';
 *
 * const client = new Hubline({ apiKey: process.env.HUBLINE_API_KEY });
 * for await (const workspace of client.workspaces.list()) console.log(workspace.name);
 * ```
 */
export class Hubline extends Client {
  /** @internal */
  override engine(): Engine {
    return { transportOf: ({ fetch }) => kyTransport({ fetch }), runner: lateRunner };
  }
}
