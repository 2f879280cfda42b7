import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { gateway, httpApi, loadBalancer, plainLoadBalancer, restApi } from '../gateway.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/lambda.ts';

describeAdapter('Lambda (HTTP API, base64)', gateway(httpApi, webhook), { streams: false });

it.each(Object.entries({ restApi, httpApi, loadBalancer, plainLoadBalancer }))(
  'verifies the events of %s, text and base64 alike',
  async (_name, toEvent) => {
    const handler = vi.fn();
    const receive = webhook({ secret: SECRET, requireTimestamp: true }, handler);
    const event = toEvent({ headers: (await signed()).headers, body: Buffer.from(BODY) });
    const text = { ...event, body: BODY, isBase64Encoded: false };
    const encoded = { ...event, body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true };
    for (const form of [event, text, encoded]) expect((await receive(form)).statusCode).toBe(200);
    expect(handler.mock.calls.map(([delivered]) => delivered)).toEqual([ENVELOPE, ENVELOPE, ENVELOPE]);
  },
);

it('sees that a header came twice, which only multiValueHeaders shows', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  const { headers } = await signed();
  const event = restApi({ headers, body: Buffer.from(BODY) });
  const signature = headers['X-Service-Signature'] ?? '';
  const twice = { ...event.multiValueHeaders, 'X-Service-Signature': ['0'.repeat(64), signature] };
  const response = await receive({ ...event, multiValueHeaders: twice });
  expect(response.statusCode).toBe(401);
  expect(JSON.parse(response.body)).toMatchObject({ error: 'malformed_signature' });
});

it('responds with 401 to the empty events that consoles send', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  for (const event of [{}, { headers: null, multiValueHeaders: null, body: null }]) {
    expect((await receive(event)).statusCode).toBe(401);
  }
});

it('responds with 400 to a body that claims to be base64 and is not', async () => {
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
