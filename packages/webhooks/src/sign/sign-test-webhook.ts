import type { WebhookEventData, WebhookTrigger } from '../events/event-data.ts';
import type { WebhookEnvelope } from '../events/webhook-event.ts';
import { type SignatureHeaders, signDelivery } from './sign-delivery.ts';

/**
 * Contents of a test delivery. Everything but the secret has a realistic default.
 *
 * @example
 * ```ts
 * import { signTestWebhook } from '@hubline/webhooks';
 *
 * // A replay, an hour late; a receiver responds with 401.
 * const call = await signTestWebhook({
 *   secret: 'my-signing-secret',
 *   type: 'automation.completed',
 *   data: { status: 'failed' },
 *   id: 'dlv_01',
 *   signed_at: new Date(Date.now() - 3_600_000),
 * });
 * ```
 */
export interface TestWebhookOptions<Type extends string> {
  /** The secret that your receiver is configured with. */
  secret: string;
  /**
   * The trigger. To test how your receiver handles a new one, use one that Hubline does not have.
   *
   * @default 'event.created'
   */
  type?: Type;
  /**
   * Fields of `data` that matter to the test; the others are those of a realistic delivery.
   *
   * @default those of a realistic delivery, or none for an unknown type
   */
  data?: Type extends WebhookTrigger ? Partial<WebhookEventData[Type]> : Record<string, unknown>;
  /**
   * The delivery ID. Give the same one twice to test deduplication.
   *
   * @default a new one
   */
  id?: string;
  /**
   * The workspace that the event occurred in.
   *
   * @default 'ws_06fk1q7x0r8wt5mzj3y2n9bcde'
   */
  workspace_id?: string;
  /**
   * The time at which the event occurred.
   *
   * @default now
   */
  created_at?: Date;
  /**
   * The time at which the attempt was signed. Give an old one to test `tolerance`.
   *
   * @default now
   */
  signed_at?: Date;
}

/**
 * A signed delivery, ready for `fetch(url, …)` and `new Request(url, …)`.
 *
 * @example
 * ```ts
 * import { signTestWebhook, type TestWebhook } from '@hubline/webhooks';
 *
 * const forged = ({ body, ...call }: TestWebhook): TestWebhook => ({ ...call, body: `${body} ` });
 * const call = await signTestWebhook({ secret: 'my-signing-secret' });
 * const { status } = await fetch('http://localhost:3000/hooks/hubline', forged(call)); // 401
 * ```
 */
export interface TestWebhook {
  /** Deliveries are POST requests (specification, "Delivery" 1). */
  method: 'POST';
  /** All headers that Hubline sends. */
  headers: SignatureHeaders & Record<string, string>;
  /** The raw body: send it unchanged. */
  body: string;
}

const ID = '06fk1q7x0r8wt5mzj3y2n9bcde';

const failing = () => ({
  webhook_id: `whk_${ID}`,
  webhook_name: null,
  webhook_host: 'app.example.com',
  failing_since: '2026-01-02T03:04:05.000Z',
});

// A function, because bundlers keep a plain object, 400 bytes, even in programs that only verify.
const samples = (): WebhookEventData => ({
  'event.created': {
    integration_id: `int_${ID}`,
    integration_type: 'github',
    event_source: 'github',
    payload: { action: 'opened', number: 7, pull_request: { title: 'Add a login page' } },
    event_id: `evt_${ID}`,
    event_type: 'pull_request',
    summary: {
      action: 'opened',
      actor: { id: '583231', name: 'octocat' },
      subject: {
        kind: 'pull_request',
        id: '7',
        name: 'Add a login page',
        url: 'https://github.com/acme/web/pull/7',
      },
      container: { kind: 'repo', id: '1296269', name: 'acme/web', url: 'https://github.com/acme/web' },
      text: 'octocat opened Add a login page',
      severity: 'none',
      occurred_at: '2026-01-02T03:04:05.000Z',
    },
  },
  'automation.completed': {
    automation_id: `aut_${ID}`,
    automation_name: 'Announce pull requests',
    run_id: `run_${ID}`,
    status: 'succeeded',
    event_id: `evt_${ID}`,
  },
  'integration.connected': {
    integration_id: `int_${ID}`,
    integration_type: 'github',
    integration_name: null,
  },
  'user.invited': { user_id: `usr_${ID}`, email: 'ada@example.com', role: 'member' },
  'webhook.failing': failing(),
  'webhook.disabled': { ...failing(), reason: 'gone', message: 'It responded with 410 Gone.' },
  'integration.error': {
    integration_id: `int_${ID}`,
    integration_type: 'github',
    integration_name: null,
    code: 'credentials_refused',
    message: 'GitHub refuses the credentials.',
  },
  'automation.disabled': {
    automation_id: `aut_${ID}`,
    automation_name: 'Announce pull requests',
    user_id: `usr_${ID}`,
    message: 'ada@example.com may no longer edit automations.',
  },
  'notification.sent': {
    rule_id: `nrl_${ID}`,
    rule_name: 'Critical alerts',
    trigger: 'event.created',
    event_id: `evt_${ID}`,
    title: 'Disk is full',
    text: 'Disk is full',
    severity: 'critical',
  },
});

/**
 * Creates a signed delivery for the tests of a receiver, on every runtime: the call that Hubline would send, with all its headers.
 * Specification, "Delivery" 1 and 2, and "Webhook delivery envelope".
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`.
 *
 * @example
 * ```ts
 * import { signTestWebhook, unwrap } from '@hubline/webhooks';
 *
 * const secret = 'my-signing-secret';
 * const call = await signTestWebhook({ secret, type: 'user.invited', data: { role: 'admin' } });
 * const event = await unwrap(new Request('https://app.example.com/hooks/hubline', call), { secret });
 * console.log(event.type); // user.invited
 * ```
 */
export async function signTestWebhook<Type extends string = 'event.created'>(
  options: TestWebhookOptions<Type>,
): Promise<TestWebhook> {
  const {
    secret,
    id = newId(),
    workspace_id = `ws_${ID}`,
    created_at = new Date(),
    signed_at = new Date(),
  } = options;
  const type: string = options.type ?? 'event.created';
  const known = samples();
  const sample = Object.hasOwn(known, type) ? known[type as WebhookTrigger] : {};
  const occurred = created_at.toISOString();
  const envelope: WebhookEnvelope<string, object> = {
    id,
    type,
    created_at: occurred,
    workspace_id,
    data: { ...sample, ...options.data },
    event: { id: type === 'event.created' ? `evt_${ID}` : null, timestamp: occurred },
  };
  const body = JSON.stringify(envelope);
  const timestamp = Math.floor(signed_at.getTime() / 1000);
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Hubline/test',
      'X-Service-Event': type,
      'X-Service-Delivery': id,
      'X-Service-Attempt': '1',
      ...(await signDelivery({ id, timestamp, body, secrets: [secret] })),
    },
    body,
  };
}

// Hubline's form: 26 characters of lower-case base32.
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return `dlv_${Array.from(bytes, (byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31]).join('')}`;
}
