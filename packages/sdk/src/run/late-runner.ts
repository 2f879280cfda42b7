import type { Engine } from '../core/engine.ts';
import { HublineError } from '../core/errors.ts';
import { loadOnce } from '../internal/runtime.ts';

/**
 * Loads the code that makes calls at the first call: all of it, before anything is sent. Importing the SDK loads only what
 * every program needs, and nothing is left to load when a call fails. See docs/decisions/sdk-size.md.
 */
export const lateRunner: Engine['runner'] = loadOnce(() =>
  import('./runner.ts').then(
    (module) => module.runner,
    (cause: unknown) => {
      throw new HublineError(
        `A part of @hubline/sdk did not load, so nothing was sent: ${String(cause)}. The next call tries again.`,
        { cause },
      );
    },
  ),
);
