import type { IncomingMessage, ServerResponse } from 'node:http';
import { readNode } from './read-node.ts';
import { type AdapterResponse, receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * Node's request, with the fields that frameworks add to it. The requests of Express and Next fit.
 *
 * @example
 * ```ts
 * import { webhook, type NodeRequest } from '@hubline/webhooks/node';
 *
 * const from = ({ url, socket }: NodeRequest) => `${url} from ${socket.remoteAddress}`;
 * export const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event, request) =>
 *   console.log(event.id, from(request)),
 * );
 * ```
 */
export type NodeRequest = IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown };

/**
 * A webhook receiver for `node:http` and everything that builds on it: Connect, Polka, Restify, Google Cloud Functions, Firebase,
 * Vercel. Your handler gets the event and the request. It works before and after body parsers that keep the raw body
 * (`express.raw()`, `req.rawBody`); after one that does not, it responds with 400 at once and says what to change.
 * Specification, "Delivery" 1 to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { webhook } from '@hubline/webhooks/node';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * createServer(receive).listen(3000);
 * ```
 *
 * @example In Express, as `webhook` of `@hubline/webhooks/express`
 * ```ts
 * import express from 'express';
 * import { webhook } from '@hubline/webhooks/express';
 *
 * const app = express();
 * app.post(
 *   '/hooks/hubline',
 *   webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *     if (event.type === 'event.created') console.log(event.data.payload);
 *   }),
 * );
 * app.use(express.json()); // after the webhook, or it takes the raw body away
 * app.listen(3000);
 * ```
 *
 * @example In the Pages Router of Next, as `pagesWebhook` of `@hubline/webhooks/next`
 * ```ts
 * import { pagesWebhook } from '@hubline/webhooks/next';
 *
 * export const config = { api: { bodyParser: false } };
 * export default pagesWebhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * ```
 */
export function webhook<Request extends NodeRequest>(
  options: WebhookOptions,
  handler: WebhookHandler<[request: Request]>,
): (request: Request, response: ServerResponse) => Promise<void> {
  const receive = receiver(options, handler);
  return async (request, response) => {
    // Not read before `receive` asks: a parser may have left getters that throw, which must become a response, too.
    const read = (limit: number) =>
      readNode({ stream: request, rawBody: request.rawBody, body: request.body }, limit);
    const result = await receive({ headers: request.headers, read }, request);
    try {
      send(response, result);
    } catch (error) {
      // Middleware that wraps the response may throw. A rejection would end the process, since nobody awaits this promise.
      await receive.report(error);
      response.destroy();
    }
  };
}

/** Responds, unless a timeout middleware or the handler itself has done so. */
function send(response: ServerResponse, { status, headers, body }: AdapterResponse): void {
  if (response.headersSent || response.writableEnded || response.destroyed) return;
  response.writeHead(status, headers).end(body);
}
