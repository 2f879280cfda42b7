import type { Fault } from '../../domain/faults/fault.ts';
import type { WhenGone } from '../../limits/byte-budget.ts';
import type { Outgoing } from '../front/open-requests.ts';

/** Reports when the client goes away before it gets its response, with the fault to throw then. */
export const whenGone =
  (outgoing: Outgoing, fault: () => Fault): WhenGone =>
  (gone) => {
    const close = () => gone(fault());
    outgoing.once('close', close);
    return () => outgoing.off('close', close);
  };
