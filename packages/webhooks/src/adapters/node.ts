import type { IncomingMessage, ServerResponse } from 'node:http';
import { readNode } from './read-node.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/** Node's request, with what frameworks add to it. */
export type NodeRequest = IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown };

/**
 * A webhook receiver for `node:http` and all that builds on it: Connect, Polka, Restify, Google Cloud Functions, Firebase, Vercel.
 * Your handler gets the event and the request. It works before and behind body parsers that keep the raw body
 * (`express.raw()`, `req.rawBody`); behind one that does not it answers 400 at once and says what to change.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`: at start, so that it shows on deployment.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { webhook } from '@hubline/webhooks/node';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET, requireTimestamp: true }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * createServer(receive).listen(3000);
 * ```
 */
export function webhook<Request extends NodeRequest>(
  options: WebhookOptions,
  handler: WebhookHandler<[request: Request]>,
): (request: Request, response: ServerResponse) => Promise<void> {
  const receive = receiver(options, handler);
  return async (request, response) => {
    const { rawBody, body: kept } = request;
    const read = (limit: number) => readNode({ stream: request, rawBody, body: kept }, limit);
    const { status, headers, body } = await receive({ headers: request.headers, read }, request);
    response.writeHead(status, headers).end(body);
  };
}
