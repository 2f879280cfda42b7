import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { isUtf8 } from 'node:buffer';
import type { LambdaAnswer } from '../src/adapters/lambda.ts';
import type { StartReceiver } from './adapter-suite.ts';
import { listen } from './listen.ts';

/** An HTTP request, collected. */
export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// The fields that a receiver reads, as AWS's documentation shows them and its types have them; the rest of an event is left out.

/** API Gateway v1, for a JSON body: text; the names of headers as they came. */
export const restApi = ({ headers, body }: Call) =>
  ({
    headers,
    multiValueHeaders: manyOf(headers),
    ...encoded(body, isUtf8(body)),
  }) as APIGatewayProxyEvent;

/** API Gateway v2 and a Function URL, for a type that they do not take for text: base64, and nothing for none. */
export const httpApi = ({ headers, body }: Call) =>
  ({
    headers: lowerCased(headers),
    ...(body.length > 0 ? encoded(body, false) : { isBase64Encoded: false }),
  }) as APIGatewayProxyEventV2;

/** A Load Balancer that is told to send all values: then `headers` is absent. */
export const loadBalancer = ({ headers, body }: Call) =>
  ({ multiValueHeaders: manyOf(lowerCased(headers)), ...encoded(body, false) }) as ALBEvent;

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

/** Plays AWS around a function: collects the request, makes an event of it, and writes the answer. */
export const gateway =
  <Event>(
    toEvent: (call: Call) => Event,
    deploy: (options: Options, handler: Handler) => (event: Event, context: Context) => Promise<LambdaAnswer>,
  ): StartReceiver =>
  async (options, handler) => {
    const invoke = deploy(options, handler);
    return listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      // The event crosses a process as JSON.
      const event = structuredClone(toEvent({ headers: request.headers as Record<string, string>, body }));
      const answer = await invoke(event, CONTEXT);
      response.writeHead(answer.statusCode, answer.headers).end(answer.body);
    });
  };
