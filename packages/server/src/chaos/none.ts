import type { Chaos } from './chaos.ts';

/** The shipped side of `#chaos`: reaching a point does nothing. */
export const chaos: Chaos = { reach: () => {} };
