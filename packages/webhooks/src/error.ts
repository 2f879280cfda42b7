/**
 * Every reason for which a delivery is refused, with the HTTP status to respond with. Specification, "Delivery" 2 and 3.
 *
 * @example
 * ```ts
 * import { isWebhookVerificationError, unwrap } from '@hubline/webhooks';
 *
 * const refused = await unwrap({ body: '{}', headers: {} }, { secret: 'my-signing-secret' }).catch((error) => error);
 * if (isWebhookVerificationError(refused)) console.log(refused.reason, refused.status); // missing_signature 401
 * ```
 */
export interface WebhookVerificationStatus {
  /** No secret was configured, or an empty one. This is a mistake of the receiver, so not a 401. */
  missing_secret: 500;
  /** The secret is not a string, or has quotes or whitespace around it. */
  invalid_secret: 500;
  /** `X-Service-Signature` is missing, or only some of the three Standard Webhooks headers are present. */
  missing_signature: 401;
  /** A signature header is malformed, or has more than one value. */
  malformed_signature: 401;
  /** The signature is well formed, but belongs to another body or another secret. */
  mismatch: 401;
  /** The call carries no timestamp, and `requireTimestamp` is not switched off. */
  missing_timestamp: 401;
  /** The call or the event is older than allowed. */
  expired: 401;
  /** The timestamp of the call is further in the future than `tolerance` allows. */
  not_yet_valid: 401;
  /** The delivery was handled before. A 2xx response keeps Hubline from retrying it and marking it failed. */
  replayed: 200;
  /** The same delivery is being handled at this moment. Any response other than 2xx makes Hubline retry it later. */
  in_progress: 409;
  /** A body parser ran first, so the bytes that were signed are gone. */
  body_already_parsed: 400;
  /** The body is missing, neither text nor bytes, not valid base64, or incomplete. */
  unreadable_body: 400;
  /** The body is larger than the adapter's `maxBodyBytes`. */
  payload_too_large: 413;
  /** The body is authentic, but is not UTF-8 JSON. */
  invalid_json: 400;
  /** The body is authentic JSON, but is not a delivery envelope. */
  invalid_envelope: 400;
}

/**
 * The reason why a delivery was refused: stable, for code. The message is for people.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 * import { isWebhookVerificationError, type WebhookVerificationReason } from '@hubline/webhooks';
 *
 * const refusals = new Map<WebhookVerificationReason, number>();
 * const onError = (error: unknown) => {
 *   if (!isWebhookVerificationError(error)) return console.error(error);
 *   refusals.set(error.reason, (refusals.get(error.reason) ?? 0) + 1);
 * };
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET, onError }, (event) => console.log(event.id));
 * ```
 */
export type WebhookVerificationReason = keyof WebhookVerificationStatus;

type Table = {
  readonly [Reason in WebhookVerificationReason]: readonly [WebhookVerificationStatus[Reason], string];
};

// The status to respond with, the likely cause and the cure. Short: this table is a third of what a browser or a Worker loads.
const REASONS: Table = {
  missing_secret: [500, 'The webhook secret is missing or empty. Is its environment variable set?'],
  invalid_secret: [
    500,
    'The webhook secret must be a string without whitespace or quotes around it. Copy it again.',
  ],
  missing_signature: [
    401,
    'is missing. Pass all headers of the original request, and make sure that no proxy drops one.',
  ],
  malformed_signature: [401, 'is malformed. Pass it once, as it was sent.'],
  mismatch: [
    401,
    'does not match. Either the secret belongs to another webhook, or the body was changed or parsed before verification.',
  ],
  missing_timestamp: [
    401,
    'webhook-timestamp is missing: the call is a replay, or a proxy drops the header. If the sender never sends it, set requireTimestamp: false.',
  ],
  expired: [401, 'is too old: the call is a replay or a late retry, or the clock of this machine is wrong.'],
  not_yet_valid: [401, 'is in the future. Check the clock of this machine.'],
  replayed: [200, 'was handled before. Respond with 2xx and do nothing.'],
  in_progress: [
    409,
    'is being handled right now. Respond with a non-2xx status, so that Hubline retries it if handling fails.',
  ],
  body_already_parsed: [
    400,
    'The body was read or parsed before, and its original bytes are gone. In Express use express.raw() before express.json(), ' +
      'in Next pages bodyParser: false, in Nest rawBody: true, in middy no body parser, elsewhere an adapter such as @hubline/webhooks/fastify.',
  ],
  unreadable_body: [
    400,
    'The body is missing, incomplete, or neither text nor bytes. Read it first, or use an adapter.',
  ],
  payload_too_large: [
    413,
    'The body is larger than maxBodyBytes. Raise it if your integrations send such events.',
  ],
  invalid_json: [400, 'The body is signed correctly, but is not UTF-8 JSON.'],
  invalid_envelope: [400, 'The body is signed correctly, but is not a delivery with an ID and a type.'],
};

// Registered globally, so that copies of this package (ESM beside CJS, two versions) recognize each other's errors.
const brand = Symbol.for('@hubline/webhooks/WebhookVerificationError');

/**
 * A delivery was refused. `reason` says why, `status` is the HTTP status to respond with (specification,
 * "Delivery" 2: 401 for a mismatch), and the message names the likely cause and the cure. It never contains the secret.
 *
 * @example
 * ```ts
 * import { isWebhookVerificationError, unwrap } from '@hubline/webhooks';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   try {
 *     const event = await unwrap(request, { secret: process.env.HUBLINE_WEBHOOK_SECRET });
 *     console.log(event.type);
 *     return new Response();
 *   } catch (error) {
 *     if (!isWebhookVerificationError(error)) throw error;
 *     return new Response(error.message, { status: error.status });
 *   }
 * }
 * ```
 */
export class WebhookVerificationError extends Error {
  /** The name is the same in every copy of this package, even if a minifier renames classes. */
  override readonly name: 'WebhookVerificationError';
  /** The reason, as a stable code. */
  readonly reason: WebhookVerificationReason;
  /** The HTTP status to respond with. */
  readonly status: WebhookVerificationStatus[WebhookVerificationReason];

  /**
   * @param reason - The reason, which determines the status and the message.
   * @param subject - The subject of the message, such as a header. The message begins with it.
   * @param cause - The error underneath, if there is one.
   */
  constructor(reason: WebhookVerificationReason, subject?: string, cause?: unknown) {
    const [status, text] = REASONS[reason];
    super(subject ? `${subject} ${text}` : text, cause === undefined ? {} : { cause });
    // Set here, since a field initializer would make the CommonJS build lose the name of the class.
    this.name = 'WebhookVerificationError';
    this.reason = reason;
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Reports whether `error` is a {@link WebhookVerificationError}, even one of another copy of this package, for which
 * `instanceof` fails.
 *
 * @example
 * ```ts
 * import { isWebhookVerificationError, unwrap } from '@hubline/webhooks';
 *
 * const error = await unwrap({ body: '{}', headers: {} }, { secret: 'my-signing-secret' }).catch((thrown) => thrown);
 * console.log(isWebhookVerificationError(error) && error.reason); // missing_signature
 * ```
 */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return typeof error === 'object' && error !== null && brand in error;
}
