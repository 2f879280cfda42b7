import { WebhookVerificationError } from './error.ts';
import { SIGNATURE_HEADER, type ReceivedSignatureHeaders } from './headers.ts';
import { equal } from './hmac/equal.ts';
import { hmac } from './hmac/hmac.ts';
import type { Part } from './hmac/types.ts';
import type { SigningKeys } from './secret.ts';
import { standardPrefix } from './sign/sign.ts';

/** Exactly 64 hex digits: nothing around them, no `sha256=`, no second value. Hex has no case, so both cases are accepted. */
export const HEX_SIGNATURE = /^[0-9a-f]{64}$/i;

const STANDARD_SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;

/** The form of signatures in the two schemes. */
const SCHEMES = {
  service: { label: '', digest: 'hex' },
  standard: { label: 'v1,', digest: 'base64' },
} as const;

/** The signatures that a call carries in one of the two schemes. */
export interface Proof {
  readonly scheme: keyof typeof SCHEMES;
  /** The text that is signed before the body. */
  readonly prefix: string;
  /** The signatures in the header. Any of them may match. */
  readonly signatures: readonly string[];
}

export interface StandardProof extends Proof {
  /** Unix seconds. */
  readonly timestamp: number;
}

/** The proof of `X-Service-Signature`. */
export function serviceProof({ 'x-service-signature': signature }: ReceivedSignatureHeaders): Proof {
  if (!signature) throw new WebhookVerificationError('missing_signature', SIGNATURE_HEADER);
  const proof: Proof = { scheme: 'service', prefix: '', signatures: [signature.toLowerCase()] };
  if (signature.length !== 64) throw refusal(proof);
  return proof;
}

/** The proof of the Standard Webhooks headers, or undefined if there are none of them. */
export function standardProof(headers: ReceivedSignatureHeaders): StandardProof | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (id === undefined && timestamp === undefined && signature === undefined) return undefined;
  // An incomplete set means that something on the way drops headers. The error says so, rather than skipping the timestamp.
  if (!id || !timestamp || !signature) {
    const missing = id ? (timestamp ? 'webhook-signature' : 'webhook-timestamp') : 'webhook-id';
    throw new WebhookVerificationError('missing_signature', missing);
  }
  // Signatures of other versions are skipped, as Standard Webhooks demands, so that a sender can add a version.
  const signatures: string[] = [];
  for (const entry of signature.split(' '))
    if (entry.length === 47 && entry.startsWith('v1,')) signatures.push(entry);
  const proof = {
    scheme: 'standard' as const,
    prefix: standardPrefix(id, timestamp),
    signatures,
    timestamp: Number(timestamp),
  };
  if (signatures.length === 0) throw refusal(proof);
  if (!/^[1-9]\d{0,11}$/.test(timestamp))
    throw new WebhookVerificationError('malformed_signature', 'webhook-timestamp (Unix seconds)');
  return proof;
}

/**
 * Reports whether any key makes any signature of the proof. Every key is compared with every signature, even after a match.
 * Returns no promise where signing is synchronous: awaiting one costs as much as comparing.
 */
export function proves(
  { scheme, prefix, signatures }: Proof,
  body: Part,
  keys: readonly SigningKeys[],
): boolean | Promise<boolean> {
  const { label, digest } = SCHEMES[scheme];
  const parts = prefix ? [prefix, body] : [body];
  let matched = false;
  const compare = (mac: string) => {
    for (const signature of signatures) matched = equal(mac, signature, label.length) || matched;
  };
  const awaited: Promise<void>[] = [];
  for (const key of keys) {
    const mac = hmac(key[scheme], parts, digest);
    if (typeof mac === 'string') compare(mac);
    else awaited.push(mac.then(compare));
  }
  return awaited.length === 0 ? matched : Promise.all(awaited).then(() => matched);
}

/** The error for a proof that fails. The form of signatures is checked only here: one that matches has the right form. */
export function refusal({ scheme, signatures }: Proof): WebhookVerificationError {
  const service = scheme === 'service';
  const form = service ? HEX_SIGNATURE : STANDARD_SIGNATURE;
  const header = service ? SIGNATURE_HEADER : 'webhook-signature';
  if (signatures.some((signature) => form.test(signature)))
    return new WebhookVerificationError('mismatch', header);
  return new WebhookVerificationError(
    'malformed_signature',
    `${header} (${service ? '64 hex digits' : 'v1, and base64'})`,
  );
}
