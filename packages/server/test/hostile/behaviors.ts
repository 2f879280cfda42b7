import type { Behavior } from './behavior.ts';
import { RESPONSES } from './behaviors/responses.ts';
import { BODIES } from './behaviors/bodies.ts';
import { CONNECTIONS } from './behaviors/connections.ts';
import { FRAMING } from './behaviors/framing.ts';
import { TLS } from './behaviors/tls.ts';

/** Everything that a receiver may do, and the expected result. */
export const BEHAVIORS: readonly Behavior[] = [...RESPONSES, ...BODIES, ...FRAMING, ...CONNECTIONS, ...TLS];
