/** A sender thread that writes down every address before it dials it, where the rest of its process can read it. */
import { appendFileSync } from 'node:fs';
import { SENDER_DIALS, watchDials } from './dial-witness.ts';

await watchDials({ onDial: (where) => appendFileSync(SENDER_DIALS, `${where}\n`) });

await import('../../src/delivery/senders/sender-thread.ts');
