import type { Chaos } from './chaos.ts';

/** The shipped side of `#chaos`: reaching a point means nothing. */
export const chaos: Chaos = { reach: () => {} };
