import { DELIVERY_HEADERS } from '@hubline/contract';
import { signDelivery } from '@hubline/webhooks';
import type { Reservation } from '../byte-budget.ts';
import type { Deps } from '../context.ts';
import type { Job } from '../job.ts';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import { readBody, signingSecrets } from '../services/delivery-work.ts';
import { VaultError } from '../vault.ts';
import { attempt, type AttemptRequest, type Outcome } from './attempt.ts';

type SendDeps = Pick<Deps, 'store' | 'clock' | 'vault' | 'log' | 'budgets'>;

// After how many interrupted attempts a delivery is taken to be what interrupts them. contract: engine.md 3.
const INTERRUPTIONS_MAX = 3;

interface SendOptions {
  dispatcher: OutboundDispatcher;
  userAgent: string;
  attemptTimeoutMs: number;
}

/** Why nothing was sent: the secret no longer decrypts, there is no memory for the body, or signing failed on this side. */
export type Unsent = 'secret_unreadable' | 'failed';

/** A delivery with its frozen bytes. */
type Ready = Omit<Job, 'body'> & Pick<AttemptRequest, 'body'>;

// A body is there twice while it is put together, and while it is made of a string.
const COPIES = 2;

/** Signs a delivery and makes one attempt. Never throws. */
export async function send(deps: SendDeps, options: SendOptions, job: Job): Promise<Outcome | Unsent> {
  const { delivery, body, bytes } = job;
  if (delivery.interruptions >= INTERRUPTIONS_MAX) return interrupted(deps.clock());
  if (body !== null) return sendBody(deps, options, { ...job, body });
  let room: Reservation | undefined;
  try {
    room = await deps.budgets.deliveries.reserve(delivery.workspace_id, bytes * COPIES);
    const read = await readBody(deps, delivery);
    room.resize(bytes);
    return await sendBody(deps, options, { ...job, body: read });
  } catch (error) {
    // It is tried again in a few seconds, as everything that fails on this side.
    deps.log.warn({ err: error, delivery_id: delivery.id }, 'a large body could not be read');
    return 'failed';
  } finally {
    room?.release();
  }
}

async function sendBody(
  deps: SendDeps,
  { dispatcher, userAgent, attemptTimeoutMs: timeoutMs }: SendOptions,
  ready: Ready,
): Promise<Outcome | Unsent> {
  const { delivery, webhook, body } = ready;
  let headers: Record<string, string>;
  try {
    headers = await headersOf(deps, ready, userAgent);
  } catch (error) {
    if (error instanceof VaultError) return 'secret_unreadable';
    deps.log.error({ err: error, webhook_id: webhook.id }, 'a call could not be signed');
    return 'failed';
  }
  const outcome = await attempt(dispatcher, { url: webhook.url, headers, body, timeoutMs }, deps.clock);
  if (outcome.ours)
    deps.log.warn({ delivery_id: delivery.id, error: outcome.error }, 'an attempt failed on this side');
  return outcome;
}

async function headersOf(
  deps: SendDeps,
  { delivery, webhook, body }: Ready,
  userAgent: string,
): Promise<Record<string, string>> {
  const now = deps.clock();
  const signatures = await signDelivery({
    id: delivery.id,
    timestamp: Math.floor(now.getTime() / 1_000),
    body,
    secrets: signingSecrets(deps, webhook, now),
  });
  return {
    ...signatures,
    [DELIVERY_HEADERS.event]: delivery.event_type,
    [DELIVERY_HEADERS.delivery]: delivery.id,
    [DELIVERY_HEADERS.attempt]: String(delivery.attempt_count + 1),
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
  };
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
