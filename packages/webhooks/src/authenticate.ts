import { parseJson, toPart, type WebhookBody } from './body.ts';
import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './events.ts';
import { SIGNATURE_HEADER, type HeadersLike, singleHeaders } from './headers.ts';
import type { UnwrapOptions } from './options.ts';
import { checkedSecrets } from './secret.ts';
import { standardPrefix } from './sign-standard.ts';
import { type Claim, HEX_SIGNATURE, matchesAny } from './verify.ts';

/** A call whose body is read only when its headers deserve it, so that an unsigned request costs no memory. */
export interface IncomingDelivery {
  readonly headers: HeadersLike | null | undefined;
  readonly body: () => WebhookBody | Promise<WebhookBody>;
}

const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const SIGNING_HEADERS = ['x-service-signature', ...STANDARD_HEADERS];

/**
 * The event of a call, after every check but the one for duplicates. `X-Service-Signature` must be there and match, always; the
 * Standard Webhooks headers must match too as soon as one of them is there. A stripped or invented set can thus never replace
 * the signature of the specification, and can remove the timestamp only where `requireTimestamp` is off.
 */
export async function authenticate(
  { headers, body }: IncomingDelivery,
  options: UnwrapOptions,
): Promise<WebhookEvent> {
  const { requireTimestamp = true, tolerance = 300, maxAge = Infinity, now = Date.now } = options;
  const secrets = checkedSecrets(options.secrets ?? options.secret);
  const [service, ...others] = singleHeaders(headers, SIGNING_HEADERS);
  const signature = serviceSignature(service);
  const standard = standardHeaders(others);
  if (!standard && requireTimestamp) throw new WebhookVerificationError('missing_timestamp');

  const raw = body();
  const part = toPart(raw instanceof Promise ? await raw : raw);
  const time = now();
  const matched = matchesAny(secrets, [part], signature);
  if (!(typeof matched === 'boolean' ? matched : await matched)) {
    throw new WebhookVerificationError('mismatch', SIGNATURE_HEADER);
  }
  if (standard) {
    const signed = [standardPrefix(standard.id, standard.timestamp), part];
    const matchedToo = matchesAny(secrets, signed, standard);
    if (!(typeof matchedToo === 'boolean' ? matchedToo : await matchedToo)) {
      throw new WebhookVerificationError('mismatch', 'webhook-signature');
    }
    const age = Math.floor(time / 1000) - Number(standard.timestamp);
    assertWithin('webhook-timestamp', age, tolerance);
    if (-age > tolerance)
      throw new WebhookVerificationError('not_yet_valid', `webhook-timestamp (${-age} s)`);
  }

  const event = parseJson(part);
  assertEnvelope(event);
  if (maxAge < Infinity) assertWithin('created_at', (time - Date.parse(event.created_at)) / 1000, maxAge);
  return event;
}

// Negated, so that NaN (a created_at that is no date, a tolerance read from an unset variable) refuses instead of accepting.
function assertWithin(subject: string, age: number, allowed: number): void {
  if (!(age <= allowed)) throw new WebhookVerificationError('expired', `${subject} (${age} s)`);
}

function serviceSignature(signature: string | undefined): Claim {
  if (!signature) throw new WebhookVerificationError('missing_signature', SIGNATURE_HEADER);
  if (!HEX_SIGNATURE.test(signature)) {
    throw new WebhookVerificationError('malformed_signature', `${SIGNATURE_HEADER} (64 hex digits)`);
  }
  return { scheme: 'service', digest: 'hex', signatures: [signature.toLowerCase()] };
}

interface StandardHeaders extends Claim {
  readonly id: string;
  readonly timestamp: string;
}

/** What the three headers say, in the order of `STANDARD_HEADERS`; `undefined` when the call has none of them. */
function standardHeaders(values: readonly (string | undefined)[]): StandardHeaders | undefined {
  const [id, timestamp, signature] = values;
  if (id === undefined && timestamp === undefined && signature === undefined) return undefined;
  // A part of them means that something on the way drops headers: say so, rather than quietly do without the timestamp.
  if (!id || !timestamp || !signature) {
    const missing = STANDARD_HEADERS[values.findIndex((value) => !value)];
    throw new WebhookVerificationError('missing_signature', missing);
  }
  // Other versions are skipped, as Standard Webhooks demands, so that a sender can add one.
  const signatures = signature
    .split(' ')
    .filter((entry) => /^v1,[A-Za-z0-9+/]{43}=$/.test(entry))
    .map((entry) => entry.slice(3));
  if (signatures.length === 0) throw new WebhookVerificationError('malformed_signature', 'webhook-signature');
  if (!/^[1-9]\d{0,11}$/.test(timestamp))
    throw new WebhookVerificationError('malformed_signature', 'webhook-timestamp');
  return { id, timestamp, scheme: 'standard', digest: 'base64', signatures };
}

function assertEnvelope(value: unknown): asserts value is WebhookEvent {
  const { id, type } = Object(value) as Partial<WebhookEvent>;
  // Only what this package itself relies on: a new event type, or a field more or less, is not a forgery.
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new WebhookVerificationError('invalid_envelope');
}
