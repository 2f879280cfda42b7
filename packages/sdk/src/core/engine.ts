import { loadOnce } from '../internal/load-once.ts';
import type { runner } from '../run/runner.ts';
import { HublineError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** What makes calls. */
export type Runner = typeof runner;

/** What an entry of the package decides: how requests are sent, and when the code that makes calls is loaded. */
export interface Engine {
  /** How requests are sent, unless a transport is given. */
  transportOf(options: ClientOptions): Transport;
  /** What makes calls. */
  runner(): Promise<Runner> | Runner;
}

/**
 * What makes calls is loaded by the first, all of it and before anything is sent: whoever imports the SDK pays for what every
 * program needs, and nothing is left to load when a call fails. See docs/decisions/sdk-size.md.
 */
export const lateRunner: Engine['runner'] = loadOnce(() =>
  import('../run/runner.ts').then(
    (module) => module.runner,
    (cause: unknown) => {
      throw new HublineError(
        `A part of @hubline/sdk could not be loaded, so nothing was sent: ${String(cause)}. The next call tries again.`,
        { cause },
      );
    },
  ),
);
