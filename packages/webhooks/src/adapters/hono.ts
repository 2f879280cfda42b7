import type { WebhookBody } from '../body.ts';
import { readWeb } from './read-web.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * The parts of Hono's `Context` that are used. In a handler, use Hono's own type; it fits.
 *
 * @example
 * ```ts
 * import { Hono, type Context } from 'hono';
 * import { webhook } from '@hubline/webhooks/hono';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event, c: Context) =>
 *   console.log(c.req.path, event.id),
 * );
 * export default new Hono().post('/hooks/hubline', receive);
 * ```
 */
export interface HonoContext {
  /** Hono's request: a fetch `Request`, and the bodies that middleware has read from it. */
  readonly req: {
    readonly raw: Request;
    /** Bodies that middleware has read: promises of text and of bytes. */
    readonly bodyCache: { readonly text?: unknown; readonly arrayBuffer?: unknown };
  };
}

/**
 * A webhook receiver for Hono on every runtime. Your handler gets the event and the context. A body that a middleware has read
 * with `c.req.json()`, `text()` or `arrayBuffer()` is taken from Hono's cache, which keeps it raw. Specification, "Delivery" 1
 * to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono';
 * import { webhook } from '@hubline/webhooks/hono';
 *
 * const app = new Hono();
 * app.post(
 *   '/hooks/hubline',
 *   webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *     if (event.type === 'event.created') console.log(event.data.payload);
 *   }),
 * );
 * export default app;
 * ```
 */
export function webhook<Context extends HonoContext>(
  options: WebhookOptions,
  handler: WebhookHandler<[context: Context]>,
): (context: Context) => Promise<Response> {
  const receive = receiver(options, handler);
  return async (context) => {
    const { raw } = context.req;
    const call = { headers: raw.headers, read: (limit: number) => readHono(context, limit) };
    const { status, headers, body } = await receive(call, context);
    return new Response(body, { status, headers });
  };
}

async function readHono({ req }: HonoContext, limit: number): Promise<WebhookBody> {
  const cached = req.bodyCache.arrayBuffer ?? req.bodyCache.text;
  return cached === undefined ? readWeb(req.raw, limit) : (cached as Promise<WebhookBody>);
}
