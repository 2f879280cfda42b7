import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { readNode } from './read-node.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * The parts of Fastify's request that are used. In a handler, use Fastify's own type; it fits.
 *
 * @example
 * ```ts
 * import Fastify, { type FastifyRequest } from 'fastify';
 * import { webhook } from '@hubline/webhooks/fastify';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event, request: FastifyRequest) =>
 *   request.log.info(event.id),
 * );
 * await Fastify().register(receive, { prefix: '/hooks/hubline' });
 * ```
 */
export interface FastifyRequest {
  /** Node's request. */
  readonly raw: IncomingMessage;
  /** The result of the content type parser; here, the unread stream. */
  readonly body: unknown;
}

/**
 * The parts of Fastify's reply that are used. Fastify's own type fits.
 *
 * @example
 * ```ts
 * import Fastify, { type FastifyReply as Reply } from 'fastify';
 * import type { FastifyReply } from '@hubline/webhooks/fastify';
 *
 * const asUsed = (reply: Reply): FastifyReply => reply; // Fastify's own type fits
 * ```
 */
export interface FastifyReply {
  /** True if a response has been sent. */
  readonly sent: boolean;
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(values: Record<string, string>): unknown;
  /** Sends the response. */
  send(body: string): unknown;
}

/**
 * The parts of a Fastify instance that are used. Fastify's own type fits.
 *
 * @example
 * ```ts
 * import Fastify from 'fastify';
 * import { webhook, type FastifyInstance } from '@hubline/webhooks/fastify';
 *
 * // Your own plugin, with the receiver beside other routes.
 * const hooks = (secret: string) => async (app: FastifyInstance) => webhook({ secret }, (event) => console.log(event.id))(app);
 * await Fastify().register(hooks('my-signing-secret'), { prefix: '/hooks/hubline' });
 * ```
 */
export interface FastifyInstance {
  /** Removes the parsers; inside a plugin, for its own routes only. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser; inside a plugin, for its own routes only. */
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: Readable, done: (error: null, body: Readable) => void) => void,
  ): unknown;
  /** Adds a route, below the plugin's prefix. */
  route(options: {
    method: 'POST';
    url: string;
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  }): unknown;
}

/**
 * A Fastify plugin that receives webhooks at its prefix. Inside the plugin, and nowhere else, bodies are left unparsed, so the
 * rest of the application keeps its parsers. Your handler gets the event and Fastify's request. Specification, "Delivery" 1 to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import Fastify from 'fastify';
 * import { webhook } from '@hubline/webhooks/fastify';
 *
 * const app = Fastify();
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * await app.register(receive, { prefix: '/hooks/hubline' });
 * await app.listen({ port: 3000 });
 * ```
 */
export function webhook<Request extends FastifyRequest>(
  options: WebhookOptions,
  handler: WebhookHandler<[request: Request]>,
): (app: FastifyInstance) => Promise<void> {
  const receive = receiver(options, handler);
  return async (app) => {
    app.removeAllContentTypeParsers();
    // The unread stream becomes request.body. It differs from request.raw if a preParsing hook has replaced it.
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const read = (limit: number) =>
        readNode({ stream: isStream(request.body) ? request.body : request.raw }, limit);
      const call = { headers: request.raw.headers, read };
      const { status, headers, body } = await receive(call, request as Request);
      // A hook or the handler itself may have responded.
      if (reply.sent) return reply;
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    };
    app.route({ method: 'POST', url: '/', handler: handle });
  };
}

function isStream(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'pipe' in value;
}
