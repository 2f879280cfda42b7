import { signDelivery } from '@hubline/webhooks';
import { parseExact } from '../../../domain/json/numbers/exact-number.ts';
import { parseRetryAfter } from '../../../outbound/retry-after.ts';
import type { ProviderHttpResponse } from '../../../outbound/provider-http.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import type { ActionKind, ActionOf, ActionOutcome, StepWork } from './action.ts';
import { renderPayload } from './render-payload.ts';
import { responsibleUserMayEdit } from './orphaned.ts';
import { automationSecretContext } from '../secret.ts';
import { refused } from './in-tool.ts';

const TIMEOUT_SECONDS = 10;
const BODY_SHOWN = 1_000;
const OUTPUT_MAX = 16 * 1_024;

interface Request {
  method: NonNullable<ActionOf<'call_webhook'>['method']>;
  url: string;
  headers: Record<string, string>;
  payload: unknown;
}

/** Calls a URL, guarded like every outgoing request and signed like a delivery. */
export const callWebhook: ActionKind<ActionOf<'call_webhook'>, Request> = {
  render(action, { values, automation, run }) {
    const { method = 'POST', url, headers = {} } = action;
    const payload = renderPayload(
      action.payload ?? {
        automation: { id: automation.id, name: automation.name },
        run: { id: run.id },
        event: '{{ event }}',
      },
      values,
    );
    if (!payload.ok) return payload;
    return { ok: true, request: { method, url, headers, payload: payload.value } };
  },

  async perform({ method, url, headers, payload }, step, { timeout_seconds: seconds = TIMEOUT_SECONDS }) {
    const { work } = step;
    if (!(await responsibleUserMayEdit(step)))
      return refused(
        'not sent: the member responsible for this run may no longer edit automations; another member can enable the automation and start a new run',
      );
    const body = JSON.stringify(payload);
    let response: ProviderHttpResponse;
    try {
      response = await work.providerHttp({
        method,
        url,
        headers: {
          ...headers,
          ...(await signatures(step, body)),
          // The same on every attempt: a receiver can recognize a repetition.
          'idempotency-key': step.key,
          'content-type': 'application/json',
        },
        ...(method === 'GET' ? {} : { body }),
        timeoutMs: seconds * 1_000,
        // A receiver that responded with 200 has done its work: a long body is no reason to call it again.
        cutOk: true,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const retryAfterMs = error.kind === 'blocked' ? null : 0;
      return { ok: false, error: `no response: ${error.message}`, response: null, retryAfterMs };
    }
    return outcomeOf(response, work.clock());
  },
};

async function signatures(
  { automation, key, work }: StepWork,
  body: string,
): Promise<Record<string, string>> {
  if (automation.secret === null) return {};
  const secret = work.vault.open(automation.secret, automationSecretContext(automation.id));
  const timestamp = Math.floor(work.clock().getTime() / 1_000);
  return { ...(await signDelivery({ id: key, timestamp, body, secrets: [secret] })) };
}

function outcomeOf({ status, headers, body }: ProviderHttpResponse, now: Date): ActionOutcome {
  const response = { status, body: body.slice(0, BODY_SHOWN) };
  if (status >= 200 && status < 300) return { ok: true, response, output: { status, body: bodyOf(body) } };
  const passing = status === 429 || status >= 500 || status === 408;
  const retryAfterMs = passing ? (parseRetryAfter(headers['retry-after'] ?? '', now) ?? 0) : null;
  return { ok: false, error: `responded with ${status}`, response, retryAfterMs };
}

/** The response as later steps see it. */
function bodyOf(body: string): unknown {
  if (body.length > OUTPUT_MAX) return null;
  try {
    return parseExact(body);
  } catch {
    return body;
  }
}
