import type { Reservation } from '../../limits/byte-budget.ts';
import { parseRetryAfter } from '../../outbound/retry-after.ts';
import type { AttemptOutcome, DeliveryStore, LeasedDelivery } from '../delivery-store.ts';
import type { EngineDeps } from '../engine-parts.ts';
import type { CallResult, Sender } from '../senders/call.ts';

export interface AttemptOptions {
  store: Pick<DeliveryStore, 'readBody' | 'findEndpoint' | 'signingSecrets'>;
  sender: Sender;
  attemptTimeoutMs: number;
}

/** The result of an attempt. */
export interface Outcome extends AttemptOutcome, Pick<CallResult, 'localFailure'> {}

/**
 * The reason why there is nothing to record: the webhook was deleted or disabled before the call, its secret no longer decrypts, the sender
 * died in the middle of the call, or something else failed on this machine.
 */
export type NoOutcome = 'unwanted' | 'secret_unreadable' | 'interrupted' | 'failed';

// After this many interruptions, the delivery itself is assumed to cause them, and its attempt fails.
const INTERRUPTIONS_MAX = 3;
// A body is in memory twice while its parts are put together, or while a string becomes bytes.
const COPIES = 2;

/** Makes one attempt of a delivery through a sender. Rejects only because of a bug. */
export function makeAttempt(
  deps: EngineDeps,
  options: AttemptOptions,
  delivery: LeasedDelivery,
): Promise<Outcome | NoOutcome> {
  if (delivery.interruptions >= INTERRUPTIONS_MAX)
    return Promise.resolve(failedByInterruptions(deps.clock()));
  if (delivery.body === null) return readAndSend(deps, options, delivery);
  return send(deps, options, { delivery, body: delivery.body });
}

/** Makes an attempt with a large body, which it reads first. */
async function readAndSend(
  deps: EngineDeps,
  options: AttemptOptions,
  delivery: LeasedDelivery,
): Promise<Outcome | NoOutcome> {
  const { bytes } = delivery;
  let room: Reservation | undefined;
  try {
    room = await deps.budgets.deliveries.reserve(delivery.endpoint.workspaceId, bytes * COPIES);
    const body = await options.store.readBody(delivery);
    room.resize(bytes);
    // It may have waited seconds for memory. The webhook may have been changed, disabled or deleted meanwhile.
    const endpoint = await options.store.findEndpoint(delivery.endpoint.id);
    if (!endpoint?.isActive) return 'unwanted';
    return await send(deps, options, { delivery: { ...delivery, endpoint }, body });
  } catch (error) {
    // The attempt is made again in a few seconds, like every one that fails on this machine.
    deps.log.warn({ err: error, delivery_id: delivery.id }, 'a large body could not be read');
    return 'failed';
  } finally {
    room?.release();
  }
}

async function send(
  deps: EngineDeps,
  { store, sender, attemptTimeoutMs: timeoutMs }: AttemptOptions,
  { delivery, body }: { delivery: LeasedDelivery; body: string | Buffer },
): Promise<Outcome | NoOutcome> {
  const { id, endpoint, trigger, attempts } = delivery;
  const startedAt = deps.clock();
  const secrets = store.signingSecrets(endpoint, startedAt);
  if (secrets === null) return 'secret_unreadable';
  const result = await sender.send({
    deliveryId: id,
    trigger,
    attempt: attempts + 1,
    url: endpoint.url,
    body,
    secrets,
    timestamp: Math.floor(startedAt.getTime() / 1_000),
    timeoutMs,
  });
  if (result === 'interrupted') return result;
  if (result.localFailure)
    deps.log.warn({ delivery_id: id, error: result.error }, 'an attempt failed on this machine');
  const { retryAfter, ...rest } = result;
  const retryAfterMs = retryAfter === null ? null : parseRetryAfter(retryAfter, deps.clock());
  return { ...rest, startedAt, retryAfterMs };
}

function failedByInterruptions(now: Date): Outcome {
  return {
    startedAt: now,
    durationMs: 0,
    response: null,
    error: {
      kind: 'reset',
      message: `the server or its sender thread stopped during this attempt, ${INTERRUPTIONS_MAX} times in a row`,
    },
    retryAfterMs: null,
    ok: false,
    localFailure: false,
  };
}
