import type { Chaos } from './chaos.ts';

/** `#chaos` as shipped: reaching a point does nothing. */
export const chaos: Chaos = { reach: () => {} };
