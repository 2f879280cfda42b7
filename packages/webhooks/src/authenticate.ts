import { parseJson, requireRawBody, type WebhookBody } from './body.ts';
import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './events/webhook-event.ts';
import { type HeadersLike, signatureHeaders } from './headers.ts';
import { proves, refusal, serviceProof, standardProof } from './proof.ts';
import type { UnwrapOptions } from './options.ts';
import { signingKeys } from './secret.ts';
import { claim } from './seen/seen.ts';

/**
 * Returns the event of a call that passes every check. `X-Service-Signature` must always be present and match. If one of the
 * Standard Webhooks headers is present, all of them must be present and match, too. So removed or forged headers can never
 * replace the signature of the specification, and can hide the timestamp only if `requireTimestamp` is off.
 *
 * @param body - Called only if the headers pass their checks, so that an unsigned request costs no memory.
 */
export async function authenticate(
  incoming: { readonly headers: HeadersLike | null | undefined },
  body: () => WebhookBody | Promise<WebhookBody>,
  options: UnwrapOptions,
): Promise<WebhookEvent> {
  const { requireTimestamp = true, tolerance = 300, maxAge = Infinity, now = Date.now } = options;
  const keys = signingKeys(options.secrets ?? options.secret);
  const headers = signatureHeaders(incoming.headers);
  const service = serviceProof(headers);
  const standard = standardProof(headers);
  if (!standard && requireTimestamp) throw new WebhookVerificationError('missing_timestamp');

  const raw = body();
  // A body that is available already is not awaited: that would cost as much as comparing a signature.
  const part = requireRawBody(typeof raw === 'string' || ArrayBuffer.isView(raw) ? raw : await raw);
  const serviceProved = proves(service, part, keys);
  if (serviceProved !== true && !(await serviceProved)) throw refusal(service);
  const time = now();
  if (standard) {
    const standardProved = proves(standard, part, keys);
    if (standardProved !== true && !(await standardProved)) throw refusal(standard);
    const age = Math.floor(time / 1000) - standard.timestamp;
    assertWithin('webhook-timestamp', age, tolerance);
    if (-age > tolerance)
      throw new WebhookVerificationError('not_yet_valid', `webhook-timestamp (${-age} s)`);
  }

  const event = parseJson(part);
  assertEnvelope(event);
  if (maxAge !== Infinity) assertWithin('created_at', (time - Date.parse(event.created_at)) / 1000, maxAge);
  if (options.seen) await claim(options.seen, event.id);
  return event;
}

// Negated, so that NaN (a created_at that is not a date, a tolerance read from an unset variable) refuses instead of accepting.
function assertWithin(subject: string, age: number, allowed: number): void {
  if (!(age <= allowed)) throw new WebhookVerificationError('expired', `${subject} (${age} s)`);
}

function assertEnvelope(value: unknown): asserts value is WebhookEvent {
  const { id, type } = Object(value) as Partial<WebhookEvent>;
  // Checks only the fields that this package relies on: a new trigger, or an added or missing field, is not a forgery.
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new WebhookVerificationError('invalid_envelope');
}
