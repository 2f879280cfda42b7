import { loadOnce } from '../internal/load-once.ts';
import { HublineError } from './hubline-error.ts';

/** What makes calls. */
export type Runner = typeof import('./runner.ts');

/**
 * What makes calls is loaded by the first, all of it and before anything is sent: whoever imports the SDK pays for what
 * every program needs, and nothing is left to load when a call fails. See docs/decisions/sdk-size.md.
 */
export const loadRunner: () => Promise<Runner> = loadOnce(() =>
  import('./runner.ts').catch((cause: unknown) => {
    throw new HublineError(
      `A part of @hubline/sdk could not be loaded, so nothing was sent: ${String(cause)}. The next call tries again.`,
      { cause },
    );
  }),
);
