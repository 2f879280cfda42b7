import { parseJson, toPart, type WebhookBody } from './body.ts';
import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './events.ts';
import { type HeadersLike, headerValues, SIGNATURE_HEADER } from './headers.ts';
import type { UnwrapOptions } from './options.ts';
import { checkedSecrets, serviceKey, standardKey } from './secret.ts';
import { standardPrefix } from './sign/sign.ts';
import { HEX_SIGNATURE, matchesAny } from './verify.ts';

/** A call whose body is read only when its headers deserve it, so that an unsigned request costs no memory. */
export interface IncomingDelivery {
  readonly headers: HeadersLike | null | undefined;
  readonly body: () => WebhookBody | Promise<WebhookBody>;
}

/**
 * The event of a call, after every check but the one for duplicates. `X-Service-Signature` must be there and match, always; the
 * Standard Webhooks headers must match too as soon as one of them is there. A stripped or invented set can thus never replace
 * the signature of the specification, and can remove the timestamp only where `requireTimestamp` is off.
 */
export async function authenticate(
  incoming: IncomingDelivery,
  options: UnwrapOptions,
): Promise<WebhookEvent> {
  const { requireTimestamp = true, tolerance = 300, maxAge = Infinity, now = Date.now } = options;
  const secrets = checkedSecrets(options.secrets ?? options.secret);
  const signature = serviceSignature(incoming.headers);
  const standard = standardHeaders(incoming.headers);
  if (!standard && requireTimestamp) throw new WebhookVerificationError('missing_timestamp');

  const part = toPart(await incoming.body());
  if (!(await matchesAny(secrets.map(serviceKey), [part], { digest: 'hex', signatures: [signature] }))) {
    throw new WebhookVerificationError('mismatch', SIGNATURE_HEADER);
  }
  const time = now();
  if (standard) {
    const signed = [standardPrefix(standard.id, standard.timestamp), part];
    if (!(await matchesAny(secrets.map(standardKey), signed, standard))) {
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

function single(headers: HeadersLike | null | undefined, name: string): string | undefined {
  const values = headerValues(headers, name);
  if (values.length > 1) throw new WebhookVerificationError('malformed_signature', name);
  return values[0];
}

function serviceSignature(headers: HeadersLike | null | undefined): string {
  const signature = single(headers, SIGNATURE_HEADER);
  if (!signature) throw new WebhookVerificationError('missing_signature', SIGNATURE_HEADER);
  if (!HEX_SIGNATURE.test(signature)) {
    throw new WebhookVerificationError('malformed_signature', `${SIGNATURE_HEADER} (64 hex digits)`);
  }
  return signature.toLowerCase();
}

interface StandardHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly digest: 'base64';
}

function standardHeaders(headers: HeadersLike | null | undefined): StandardHeaders | undefined {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const values = names.map((name) => single(headers, name));
  if (values.every((value) => value === undefined)) return undefined;
  const [id, timestamp, signature] = values;
  // A part of them means that something on the way drops headers: say so, rather than quietly do without the timestamp.
  if (!id || !timestamp || !signature) {
    throw new WebhookVerificationError('missing_signature', names[values.findIndex((value) => !value)]);
  }
  // Other versions are skipped, as Standard Webhooks demands, so that a sender can add one.
  const signatures = signature
    .split(' ')
    .flatMap((entry) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(entry)?.[1] ?? []);
  if (signatures.length === 0) throw new WebhookVerificationError('malformed_signature', 'webhook-signature');
  if (!/^[1-9]\d{0,11}$/.test(timestamp))
    throw new WebhookVerificationError('malformed_signature', 'webhook-timestamp');
  return { id, timestamp, signatures, digest: 'base64' };
}

function assertEnvelope(value: unknown): asserts value is WebhookEvent {
  const { id, type } = Object(value) as Partial<WebhookEvent>;
  // Only what this package itself relies on: a new event type, or a field more or less, is not a forgery.
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new WebhookVerificationError('invalid_envelope');
}
