import type { IncomingMessage } from 'node:http';
import { readNode } from './read-node.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * The parts of Koa's context that are used. In a handler, use Koa's own type; it fits.
 *
 * @example
 * ```ts
 * import Koa, { type Context } from 'koa';
 * import { webhook } from '@hubline/webhooks/koa';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event, ctx: Context) =>
 *   console.log(ctx.ip, event.id),
 * );
 * new Koa().use(receive).listen(3000);
 * ```
 */
export interface KoaContext {
  /** Node's request. */
  readonly req: IncomingMessage;
  /** Koa's own request, where body parsers leave `rawBody` and `body`. */
  readonly request: object;
  /** The status of the response. */
  status: number;
  /** The body of the response. */
  body: unknown;
  /** Sets headers of the response. */
  set(headers: Record<string, string>): void;
}

/**
 * A webhook receiver for Koa, as the last middleware of a route. Your handler gets the event and the context. It works before
 * and after `koa-bodyparser`, which keeps the raw body. Specification, "Delivery" 1 to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import Koa from 'koa';
 * import { webhook } from '@hubline/webhooks/koa';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * const app = new Koa();
 * app.use((ctx, next) => (ctx.path === '/hooks/hubline' ? receive(ctx) : next()));
 * app.listen(3000);
 * ```
 */
export function webhook<Context extends KoaContext>(
  options: WebhookOptions,
  handler: WebhookHandler<[context: Context]>,
): (context: Context) => Promise<void> {
  const receive = receiver(options, handler);
  return async (context) => {
    const read = (limit: number) => {
      const { rawBody, body: parsed }: { rawBody?: unknown; body?: unknown } = context.request;
      return readNode({ stream: context.req, rawBody, body: parsed }, limit);
    };
    const { status, headers, body } = await receive({ headers: context.req.headers, read }, context);
    context.status = status;
    context.set(headers);
    context.body = body;
  };
}
