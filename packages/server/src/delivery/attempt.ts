import type { Reservation } from '../byte-budget.ts';
import type { Deps } from '../context.ts';
import { parseRetryAfter } from '../domain/retry-after.ts';
import type { Job } from '../job.ts';
import { readBody, signingSecrets } from '../services/delivery-work.ts';
import { VaultError } from '../vault.ts';
import type { CallResult, Sender } from './senders/call.ts';

type AttemptDeps = Pick<Deps, 'store' | 'clock' | 'vault' | 'log' | 'budgets'>;

interface AttemptOptions {
  sender: Sender;
  attemptTimeoutMs: number;
}

/** How an attempt ended. */
export interface Outcome extends Omit<CallResult, 'retryAfter'> {
  startedAt: Date;
  /** How long the receiver asked to be left alone, with 429 or 503; `null` when it did not. At most an hour. */
  retryAfterMs: number | null;
}

/**
 * Why there is nothing to record: the secret no longer decrypts, the sender died in the middle of the call, or something else failed on
 * this side.
 */
export type NoOutcome = 'secret_unreadable' | 'interrupted' | 'failed';

// After how many interrupted attempts a delivery is taken to be what interrupts them. contract: engine.md 3.
const INTERRUPTIONS_MAX = 3;
// A body is there twice while it is put together, and while it is made of a string.
const COPIES = 2;

/** Makes one attempt of a delivery, by a sender. Never rejects. */
export async function makeAttempt(
  deps: AttemptDeps,
  options: AttemptOptions,
  job: Job,
): Promise<Outcome | NoOutcome> {
  const { delivery, body, bytes } = job;
  if (delivery.interruptions >= INTERRUPTIONS_MAX) return interrupted(deps.clock());
  if (body !== null) return send(deps, options, { ...job, body });
  let room: Reservation | undefined;
  try {
    room = await deps.budgets.deliveries.reserve(delivery.workspace_id, bytes * COPIES);
    const read = await readBody(deps, delivery);
    room.resize(bytes);
    return await send(deps, options, { ...job, body: read });
  } catch (error) {
    // It is tried again in a few seconds, as everything that fails on this side.
    deps.log.warn({ err: error, delivery_id: delivery.id }, 'a large body could not be read');
    return 'failed';
  } finally {
    room?.release();
  }
}

async function send(
  deps: AttemptDeps,
  { sender, attemptTimeoutMs: timeoutMs }: AttemptOptions,
  { delivery, webhook, body }: Omit<Job, 'body'> & { body: string | Buffer },
): Promise<Outcome | NoOutcome> {
  const startedAt = deps.clock();
  let secrets: string[];
  try {
    secrets = signingSecrets(deps, webhook, startedAt);
  } catch (error) {
    if (error instanceof VaultError) return 'secret_unreadable';
    throw error;
  }
  const result = await sender.send({
    deliveryId: delivery.id,
    eventType: delivery.event_type,
    attempt: delivery.attempt_count + 1,
    url: webhook.url,
    body,
    secrets,
    timestamp: Math.floor(startedAt.getTime() / 1_000),
    timeoutMs,
  });
  if (result === 'interrupted') return result;
  if (result.ours)
    deps.log.warn({ delivery_id: delivery.id, error: result.error }, 'an attempt failed on this side');
  const { retryAfter, ...rest } = result;
  const retryAfterMs = retryAfter === null ? null : parseRetryAfter(retryAfter, deps.clock());
  return { ...rest, startedAt, retryAfterMs };
}

function interrupted(now: Date): Outcome {
  return {
    startedAt: now,
    durationMs: 0,
    response: null,
    error: { kind: 'reset', message: `the server stopped during this attempt ${INTERRUPTIONS_MAX} times` },
    retryAfterMs: null,
    ok: false,
    ours: false,
  };
}
