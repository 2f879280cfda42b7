import { readWeb } from './read-web.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * A webhook receiver for everything that uses fetch's `Request`: Next App Router, Workers, Bun, Deno, Remix, SvelteKit, Astro.
 * Your handler gets the event, the request, and then the other arguments of the framework: `env` and `ctx` on Workers, the route
 * context in Next. Give their types as the type argument: `webhook<[env: Env, ctx: ExecutionContext]>(…)`. Specification,
 * "Delivery" 1 to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, async (event) => {
 *   if (event.type === 'event.created') console.log(event.data.payload);
 * });
 * ```
 */
export function webhook<Rest extends unknown[]>(
  options: WebhookOptions,
  handler: WebhookHandler<[request: Request, ...rest: Rest]>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  const receive = receiver(options, handler);
  return async (request, ...rest) => {
    const call = { headers: request.headers, read: (limit: number) => readWeb(request, limit) };
    const { status, headers, body } = await receive(call, request, ...rest);
    return new Response(body, { status, headers });
  };
}
