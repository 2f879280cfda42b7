import { expect, it, vi } from 'vitest';
import { describeAdapter, type StartReceiver } from '../../test/adapter-suite.ts';
import { listen } from '../../test/listen.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../../test/samples.ts';
import { webhook, type LambdaEvent } from './lambda.ts';

interface Call {
  headers: Record<string, string>;
  body: Buffer;
}

// The two forms of API Gateway, as its documentation shows them; the v1 form is a Load Balancer's, the v2 form a Function URL's.
const restApi = ({ headers, body }: Call): LambdaEvent => ({
  headers,
  multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  body: body.length > 0 ? body.toString() : null,
  isBase64Encoded: false,
});
const httpApi = ({ headers, body }: Call): LambdaEvent => ({
  headers,
  ...(body.length > 0 ? { body: body.toString('base64') } : {}),
  isBase64Encoded: body.length > 0,
});

/** What API Gateway does: collects the request, calls the function, writes its answer. */
const gateway =
  (toEvent: (call: Call) => LambdaEvent): StartReceiver =>
  async (options, handler) => {
    const receive = webhook(options, handler);
    return listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const answer = await receive(toEvent({ headers: request.headers as Record<string, string>, body }));
      response.writeHead(answer.statusCode, answer.headers).end(answer.body);
    });
  };

describeAdapter('Lambda (HTTP API, base64)', gateway(httpApi), { streams: false });

it('verifies the events of REST APIs, text and base64 alike', async () => {
  const handler = vi.fn();
  const receive = webhook({ secret: SECRET }, handler);
  const { headers } = await signed();
  const event = restApi({ headers, body: Buffer.from(BODY) });
  expect((await receive(event)).statusCode).toBe(200);
  const encoded = { ...event, body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true };
  expect((await receive(encoded)).statusCode).toBe(200);
  expect(handler.mock.calls.map(([delivered]) => delivered)).toEqual([ENVELOPE, ENVELOPE]);
});

it('sees that a header came twice, which only multiValueHeaders shows', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  const { headers } = await signed();
  const event = restApi({ headers, body: Buffer.from(BODY) });
  const signature = headers['X-Service-Signature'] ?? '';
  const twice = { ...event.multiValueHeaders, 'X-Service-Signature': ['0'.repeat(64), signature] };
  const answer = await receive({ ...event, multiValueHeaders: twice });
  expect(answer.statusCode).toBe(401);
  expect(JSON.parse(answer.body)).toMatchObject({ error: 'malformed_signature' });
});

it('answers 401 to the empty events that consoles send', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  for (const event of [{}, { headers: null, multiValueHeaders: null, body: null }]) {
    expect((await receive(event)).statusCode).toBe(401);
  }
});

it('answers 400 to a body that claims to be base64 and is not', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  const { headers } = await signed();
  expect((await receive({ headers, body: '%%%', isBase64Encoded: true })).statusCode).toBe(400);
});

it('gives the event and the context of Lambda to the handler', async () => {
  const handler = vi.fn();
  const receive = webhook<[context: { awsRequestId: string }]>(
    { secret: SECRET },
    (_event, lambdaEvent, context) => handler(lambdaEvent.body, context.awsRequestId),
  );
  const { headers } = await signed();
  await receive({ headers, body: BODY }, { awsRequestId: 'request-1' });
  expect(handler.mock.calls).toEqual([[BODY, 'request-1']]);
});
