import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { isUtf8 } from 'node:buffer';
import type { LambdaResponse } from '../src/adapters/lambda.ts';
import type { StartReceiver } from './adapter-suite.ts';
import { listen } from './listen.ts';

/** An HTTP request with its whole body. */
export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// Events with the fields that a receiver reads, as in AWS's documentation and types; the rest of an event is left out.

/** An event of API Gateway v1: a JSON body is text, and the names of headers are as they came. */
export const restApi = ({ headers, body }: Call) =>
  ({
    headers,
    multiValueHeaders: manyOf(headers),
    ...encoded(body, isUtf8(body)),
  }) as APIGatewayProxyEvent;

/** An event of API Gateway v2 or a Function URL, for a content type that is not text: the body is base64, or absent if empty. */
export const httpApi = ({ headers, body }: Call) =>
  ({
    headers: lowerCased(headers),
    ...(body.length > 0 ? encoded(body, false) : { isBase64Encoded: false }),
  }) as APIGatewayProxyEventV2;

/** An event of a Load Balancer that is configured to send all values of a header: then `headers` is absent. */
export const loadBalancer = ({ headers, body }: Call) =>
  ({ multiValueHeaders: manyOf(lowerCased(headers)), ...encoded(body, false) }) as ALBEvent;

/** An event of a Load Balancer as it is configured at first: one value of each header, the last one. */
export const plainLoadBalancer = ({ headers, body }: Call) =>
  ({ headers: lowerCased(headers), ...encoded(body, isUtf8(body)) }) as ALBEvent;

const manyOf = (headers: Call['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

function encoded(body: Buffer, asText: boolean) {
  return asText
    ? { body: body.toString(), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
}

const lowerCased = (headers: Call['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The second argument that Lambda passes beside the event. */
export const CONTEXT = { awsRequestId: 'request-1' } as Context;

type Options = Parameters<StartReceiver>[0];
type Handler = Parameters<StartReceiver>[1];

/** Plays AWS around a function: collects the request, makes an event of it, and writes the response. */
export const gateway =
  <Event>(
    toEvent: (call: Call) => Event,
    deploy: (
      options: Options,
      handler: Handler,
    ) => (event: Event, context: Context) => Promise<LambdaResponse>,
  ): StartReceiver =>
  async (options, handler) => {
    const invoke = deploy(options, handler);
    return listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      // AWS passes the event to the function as JSON.
      const event = structuredClone(toEvent({ headers: request.headers as Record<string, string>, body }));
      const { statusCode, headers, body: text } = await invoke(event, CONTEXT);
      response.writeHead(statusCode, headers).end(text);
    });
  };
