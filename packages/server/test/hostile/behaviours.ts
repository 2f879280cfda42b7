import type { Behaviour } from './behaviour.ts';
import { ANSWERS } from './behaviours/answers.ts';
import { BODIES } from './behaviours/bodies.ts';
import { CONNECTIONS } from './behaviours/connections.ts';
import { FRAMING } from './behaviours/framing.ts';
import { TLS } from './behaviours/tls.ts';

/** Everything that a receiver may do, and what must come of it. */
export const BEHAVIOURS: readonly Behaviour[] = [...ANSWERS, ...BODIES, ...FRAMING, ...CONNECTIONS, ...TLS];
