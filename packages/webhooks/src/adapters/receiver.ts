import { authenticate } from '../authenticate.ts';
import type { WebhookBody } from '../body.ts';
import { encodeUtf8 } from '../bytes.ts';
import { isWebhookVerificationError, WebhookVerificationError } from '../error.ts';
import type { WebhookEvent } from '../events/webhook-event.ts';
import type { HeadersLike } from '../headers.ts';
import type { UnwrapOptions } from '../options.ts';
import { signingKeys } from '../secret.ts';

/**
 * Options of every adapter: those of `unwrap`, and two more. `NaN` or a negative number throws a `RangeError` at startup.
 * Specification, "Delivery" 2 and 3.
 *
 * @example
 * ```ts
 * import { memorySeen, type WebhookOptions } from '@hubline/webhooks';
 * import { webhook } from '@hubline/webhooks/web';
 *
 * const options: WebhookOptions = {
 *   secret: process.env.HUBLINE_WEBHOOK_SECRET,
 *   seen: memorySeen(),
 *   maxBodyBytes: 25 * 1_048_576,
 *   onError: (error) => console.error(error),
 * };
 * export const POST = webhook(options, (event) => console.log(event.id));
 * ```
 */
export type WebhookOptions = UnwrapOptions & {
  /**
   * The largest body that is accepted, in bytes; a larger one gets 413. Raise it if your integrations send more:
   * Hubline takes provider events up to 25 MiB and passes them on whole.
   *
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
  /**
   * Called with every error, and awaited: refused calls (`WebhookVerificationError`), errors that your handler throws, and
   * failures of the `seen` store. The caller never sees the message of the last two.
   *
   * @default prints the errors that the receiver has to fix, but no refused calls, with console.error
   */
  onError?: ((error: unknown) => unknown) | undefined;
};

/**
 * Your code. It gets the verified event, then the framework's own arguments. Hubline waits 30 seconds for the response (specification,
 * "Delivery" 3). When it returns or resolves, the response is 200. When it throws or rejects, the response is 500, and Hubline
 * retries the delivery.
 *
 * @example
 * ```ts
 * import type { WebhookHandler } from '@hubline/webhooks';
 * import { webhook } from '@hubline/webhooks/web';
 *
 * const log: WebhookHandler<[request: Request]> = (event, request) => console.log(request.url, event.type);
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, log);
 * ```
 */
export type WebhookHandler<Rest extends unknown[] = []> = (event: WebhookEvent, ...rest: Rest) => unknown;

/** A call as an adapter sees it. `read` is called only if the headers pass their checks, and should stop at `limit` bytes. */
export interface IncomingCall {
  readonly headers: HeadersLike | null | undefined;
  readonly read: (limit: number) => WebhookBody | Promise<WebhookBody>;
}

/** The response of an adapter, independent of the framework. */
export interface AdapterResponse {
  readonly status: number;
  readonly headers: { readonly 'content-type': 'application/json' };
  readonly body: string;
}

/** Turns a call into a response. Never throws, whatever the call, the handler and the options do. */
export type Receive<Rest extends unknown[]> = (call: IncomingCall, ...rest: Rest) => Promise<AdapterResponse>;

/** The core of all adapters. Invalid options throw here, at startup, not at the first call. */
export function receiver<Rest extends unknown[]>(
  options: WebhookOptions,
  handler: WebhookHandler<Rest>,
): Receive<Rest> & { readonly report: (error: unknown) => Promise<void> } {
  signingKeys(options.secrets ?? options.secret);
  assertNumbers(options);
  const { seen, maxBodyBytes = 1_048_576, onError = printUnlessRefused } = options;

  async function report(error: unknown): Promise<void> {
    try {
      await onError(error);
    } catch (failure) {
      console.error(failure);
    }
  }

  // A failing store is reported and changes no response: the handler has run, and only its own outcome counts.
  async function settle(step: () => unknown): Promise<void> {
    try {
      await step();
    } catch (error) {
      await report(error);
    }
  }

  function verified({ headers, read }: IncomingCall): Promise<WebhookEvent> {
    const body = async () => {
      const raw = await read(maxBodyBytes);
      if (isLarger(raw, maxBodyBytes)) throw new WebhookVerificationError('payload_too_large');
      return raw;
    };
    return authenticate({ headers }, body, options);
  }

  const receive: Receive<Rest> = async (call, ...rest) => {
    let event: WebhookEvent;
    try {
      event = await verified(call);
    } catch (error) {
      if (isWebhookVerificationError(error) && error.status === 200)
        return response(200, { received: true, duplicate: true });
      await report(error);
      return isWebhookVerificationError(error)
        ? response(error.status, { error: error.reason, message: error.message })
        : failed();
    }
    try {
      await handler(event, ...rest);
    } catch (error) {
      await settle(() => seen?.release(event.id));
      await report(error);
      return failed();
    }
    await settle(() => seen?.complete(event.id));
    return response(200, { received: true });
  };
  return Object.assign(receive, { report });
}

// `NaN`, such as from an unset variable, would refuse every call, and blame the caller's clock or the size of the body.
function assertNumbers({ tolerance = 0, maxAge = 0, maxBodyBytes = 0 }: WebhookOptions): void {
  for (const [name, value] of Object.entries({ tolerance, maxAge, maxBodyBytes })) {
    if (!(typeof value === 'number' && value >= 0))
      throw new RangeError(`${name} must be a number from 0, or Infinity. Is its environment variable set?`);
  }
}

// A refused call is the caller's fault, and printing it would let anyone fill the log. The receiver has to fix everything else.
function printUnlessRefused(error: unknown): void {
  const refused = isWebhookVerificationError(error) && error.reason !== 'body_already_parsed';
  if (!refused) console.error(error);
}

/** Measures text in bytes of UTF-8, as it was sent: at most three for each UTF-16 unit. */
function isLarger(body: WebhookBody, limit: number): boolean {
  if (typeof body !== 'string') return !(byteLength(body) <= limit);
  if (body.length * 3 <= limit) return false;
  return !(body.length <= limit && encodeUtf8(body).length <= limit);
}

/** A value that is not a body has no length. It is refused later, with its own message. */
function byteLength(body: unknown): number {
  return typeof body === 'object' && body !== null && 'byteLength' in body ? Number(body.byteLength) : 0;
}

function response(status: number, body: Readonly<Record<string, unknown>>): AdapterResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function failed(): AdapterResponse {
  return response(500, { error: 'internal_error', message: 'The receiver failed to handle the event.' });
}
