import { fromBase64, type WebhookBody } from '../body.ts';
import type { HeadersLike } from '../headers.ts';
import { receiver, type WebhookHandler, type WebhookOptions } from './receiver.ts';

/**
 * The parts of an event that are used, from API Gateway v1 and v2, a Function URL or a Load Balancer. AWS's own types fit.
 *
 * @example
 * ```ts
 * import { webhook, type LambdaEvent } from '@hubline/webhooks/lambda';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => console.log(event.id));
 * // One function behind several routes: the event of AWS fits as it is.
 * export const handler = (event: LambdaEvent & { rawPath?: string }) =>
 *   event.rawPath === '/health' ? { statusCode: 204 } : receive(event);
 * ```
 */
export interface LambdaEvent {
  /** One value for each header: the last one in v1, all joined in v2. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** All values of each header, if the event has them: from v1, and from a Load Balancer that is configured to send them. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  /** The raw body as text, or in base64. */
  readonly body?: string | null | undefined;
  /**
   * True if `body` is base64.
   *
   * @default false
   */
  readonly isBase64Encoded?: boolean | undefined;
}

/**
 * The response that API Gateway and a Load Balancer accept. Specification, "Delivery" 2 and 3.
 *
 * @example
 * ```ts
 * import { webhook, type LambdaEvent, type LambdaResponse } from '@hubline/webhooks/lambda';
 *
 * const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => console.log(event.id));
 * export async function handler(event: LambdaEvent): Promise<LambdaResponse> {
 *   const response = await receive(event);
 *   if (response.statusCode >= 400) console.warn(response.body); // why it was refused
 *   return response;
 * }
 * ```
 */
export interface LambdaResponse {
  /** The HTTP status. */
  statusCode: number;
  /** The headers of the response. */
  headers: { 'content-type': 'application/json' };
  /** JSON text. */
  body: string;
}

/**
 * A webhook receiver for AWS Lambda behind API Gateway (v1 and v2), a Function URL or a Load Balancer, base64 bodies included.
 * In middy, use it without a body parser, which would replace the signed text. Your handler gets the event, then Lambda's own
 * event and context. Give the type of the context as the type argument: `webhook<[Context]>(…)`. Specification, "Delivery" 1
 * to 3.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`, at startup, so that a deployment shows it.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/lambda';
 *
 * export const handler = webhook(
 *   { secret: process.env.HUBLINE_WEBHOOK_SECRET },
 *   async (event) => {
 *     if (event.type === 'event.created') console.log(event.data.payload);
 *   },
 * );
 * ```
 */
export function webhook<Rest extends unknown[]>(
  options: WebhookOptions,
  handler: WebhookHandler<[lambdaEvent: LambdaEvent, ...rest: Rest]>,
): (lambdaEvent: LambdaEvent, ...rest: Rest) => Promise<LambdaResponse> {
  const receive = receiver(options, handler);
  return async (lambdaEvent, ...rest) => {
    const call = { headers: headersOf(lambdaEvent), read: () => bodyOf(lambdaEvent) };
    const { status, headers, body } = await receive(call, lambdaEvent, ...rest);
    return { statusCode: status, headers, body };
  };
}

// Only multiValueHeaders shows that a header came twice; v2 and Function URLs have none and join the values.
function headersOf({ headers, multiValueHeaders }: LambdaEvent): HeadersLike | null | undefined {
  return multiValueHeaders ?? headers;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): WebhookBody {
  return isBase64Encoded ? fromBase64(body) : (body ?? '');
}
