import type { ResolvedAddress } from '../../outbound/dispatcher.ts';
import type { Call, CallResult } from './call.ts';
import type { SenderSettings } from './local-sender.ts';

/** Settings that a sender's thread starts with. */
export interface ThreadSettings extends Omit<SenderSettings, 'resolve'> {
  /** Names are answered by the main thread, for tests that replace the resolver. */
  asksForNames: boolean;
}

/** From the main thread to a sender. Calls and results travel in batches: a message costs as much as signing a call. */
export type ToSender =
  | { calls: readonly { id: number; call: Call }[] }
  | { name: number; addresses: readonly ResolvedAddress[] }
  | { name: number; code: string | undefined; message: string }
  | 'destroy';

/** From a sender to the main thread. */
export type FromSender =
  | 'ready'
  | 'destroyed'
  | { results: readonly { id: number; result: CallResult }[] }
  | { name: number; hostname: string };
