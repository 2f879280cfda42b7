import { DELIVERY_HEADERS } from '@hubline/contract';
import { signDelivery } from '@hubline/webhooks';
import type { Deps } from '../context.ts';
import type { Job } from '../job.ts';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import { signingSecrets } from '../services/delivery-work.ts';
import { VaultError } from '../vault.ts';
import { attempt, type Outcome } from './attempt.ts';

type SendDeps = Pick<Deps, 'clock' | 'vault' | 'log'>;

// After how many interrupted attempts a delivery is taken to be what interrupts them. contract: engine.md 3.
const INTERRUPTIONS_MAX = 3;

interface SendOptions {
  dispatcher: OutboundDispatcher;
  userAgent: string;
  attemptTimeoutMs: number;
}

/** Why nothing was sent: the secret no longer decrypts, or signing failed on this side. */
export type Unsent = 'secret_unreadable' | 'failed';

/** Signs a delivery and makes one attempt. Never throws. */
export async function send(
  deps: SendDeps,
  { dispatcher, userAgent, attemptTimeoutMs: timeoutMs }: SendOptions,
  job: Job,
): Promise<Outcome | Unsent> {
  const { delivery, webhook, body } = job;
  if (delivery.interruptions >= INTERRUPTIONS_MAX) return interrupted(deps.clock());
  let headers: Record<string, string>;
  try {
    headers = await headersOf(deps, job, userAgent);
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
  { delivery, webhook, body }: Job,
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
