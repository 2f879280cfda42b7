import { Client } from './client.ts';
import type { Engine } from './core/engine.ts';
import { lateRunner } from './run/late-runner.ts';
import { kyTransport } from './transports/ky.ts';
import { nodeTransport } from './transports/node.ts';

/** `Hubline` on Node. Its documentation is in hubline.ts, since types are the same on every runtime. */
export class Hubline extends Client {
  /** @internal */
  override engine(): Engine {
    return {
      transportOf: ({ fetch }) => (fetch ? kyTransport({ fetch }) : nodeTransport()),
      runner: lateRunner,
    };
  }
}
