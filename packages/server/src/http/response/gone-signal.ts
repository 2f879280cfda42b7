import type { Outgoing } from '../front/open-requests.ts';
import { Fault } from '../../domain/faults/fault.ts';

/** Aborts when the client goes away before it gets its response. */
export function goneSignal(outgoing: Outgoing): AbortSignal {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Fault('invalid_request', 'The client went away.')));
  return gone.signal;
}
