import type { Deps, WorkContext } from './context.ts';
import { unitOfWork } from './unit-of-work.ts';

/** The context of work that the server does by itself, such as a step of a job. */
export function workContext(deps: Deps): WorkContext {
  return {
    ...deps,
    now: deps.clock(),
    ...unitOfWork({
      write: deps.store.write,
      onFailure: (error, effect) => deps.log.error({ err: error, effect }, 'an effect of a job failed'),
    }),
  };
}
