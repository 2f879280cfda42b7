import { authenticate } from './authenticate.ts';
import { fromBase64, type WebhookBody } from './body.ts';
import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './events/webhook-event.ts';
import type { HeadersLike } from './headers.ts';
import type { UnwrapOptions } from './options.ts';
import type { SeenStore } from './seen/seen.ts';

/**
 * A fetch `Request`, as in Next, Hono (`c.req.raw`), Remix, SvelteKit, Bun, Deno and Workers.
 *
 * @example
 * ```ts
 * import { signTestWebhook, unwrap, type RequestLike } from '@hubline/webhooks';
 *
 * const receive = (request: RequestLike) => unwrap(request, { secret: 'my-signing-secret' });
 * const call = await signTestWebhook({ secret: 'my-signing-secret' });
 * console.log((await receive(new Request('https://app.example.com/hooks/hubline', call))).type); // event.created
 * ```
 */
export interface RequestLike {
  /** The headers of the request. */
  readonly headers: { get(name: string): string | null };
  /** True if the body has been read before. */
  readonly bodyUsed: boolean;
  /** The raw body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * The parts of a call. A Lambda event of API Gateway v1 and an Express request after `express.raw()` have this shape already. For
 * the other Lambda events, which may lack `headers` or `body`, use `@hubline/webhooks/lambda`.
 *
 * @example
 * ```ts
 * import { unwrap, type Delivery } from '@hubline/webhooks';
 *
 * // A call that was stored as it came, from a queue or a table.
 * export function replay({ body, headers }: Delivery, receivedAt: Date) {
 *   return unwrap({ body, headers }, { secret: process.env.HUBLINE_WEBHOOK_SECRET, now: () => receivedAt.getTime() });
 * }
 * ```
 */
export interface Delivery {
  /** The raw body, before anything has parsed it, or a promise of it. */
  readonly body: WebhookBody | Promise<WebhookBody> | null | undefined;
  /** The headers of the request. */
  readonly headers: HeadersLike | null | undefined;
  /**
   * True if `body` is base64, as AWS marks it.
   *
   * @default false
   */
  readonly isBase64Encoded?: boolean | undefined;
}

/**
 * Verifies a webhook call and returns its typed event: one async function on every runtime.
 *
 * `X-Service-Signature` must be present and match (specification, "Delivery" 2). When the Standard Webhooks headers are present
 * they must be complete and match too, and their timestamp must be within `tolerance`. See `requireTimestamp` for calls without
 * them. A trigger that this version does not know is returned like any other.
 *
 * A `Request` is read completely. If strangers can reach the route, limit the size of bodies, or use an adapter, which does so.
 *
 * @throws {@link WebhookVerificationError} with the `reason`, and the `status` to respond with.
 *
 * @example
 * ```ts
 * import { unwrap } from '@hubline/webhooks';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const event = await unwrap(request, { secret: process.env.HUBLINE_WEBHOOK_SECRET });
 *   if (event.type === 'event.created') console.log(event.data.event_type, event.data.payload);
 *   return new Response();
 * }
 * ```
 */
export function unwrap(input: RequestLike | Delivery, options: UnwrapOptions): Promise<WebhookEvent> {
  const event = authenticate(input, () => rawBody(input), options);
  return options?.seen ? complete(event, options.seen) : event;
}

async function complete(authentic: Promise<WebhookEvent>, seen: SeenStore): Promise<WebhookEvent> {
  const event = await authentic;
  await seen.complete(event.id);
  return event;
}

function rawBody(input: RequestLike | Delivery): WebhookBody | Promise<WebhookBody> {
  if ('arrayBuffer' in input) return readRequest(input);
  // requireRawBody refuses a value that is not a body, with a message of its own.
  return input.isBase64Encoded ? fromBase64(input.body) : (input.body as WebhookBody);
}

async function readRequest(request: RequestLike): Promise<WebhookBody> {
  if (request.bodyUsed) throw new WebhookVerificationError('body_already_parsed');
  try {
    return await request.arrayBuffer();
  } catch (cause) {
    throw new WebhookVerificationError('unreadable_body', '', cause);
  }
}
