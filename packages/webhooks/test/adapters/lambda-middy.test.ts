import middify from '@middy/core';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { Context } from 'aws-lambda';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { CONTEXT, gateway, httpApi, loadBalancer, restApi } from '../gateway.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../samples.ts';
import type { WebhookHandler, WebhookOptions } from '../../src/index.ts';
import { isWebhookVerificationError } from '../../src/error.ts';
import { unwrap } from '../../src/unwrap.ts';
import { webhook, type LambdaEvent } from '../../src/adapters/lambda.ts';

const inMiddy = (options: WebhookOptions, handler: WebhookHandler) =>
  middify<LambdaEvent>().use(httpHeaderNormalizer()).handler(webhook<[context: Context]>(options, handler));

describeAdapter('Lambda (REST API, in middy)', gateway(restApi, inMiddy), { streams: false });

const fronts = Object.entries({ restApi, httpApi, loadBalancer });

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function call() {
  return { headers: { ...(await signed()).headers, ...JSON_TYPE }, body: Buffer.from(BODY) };
}

it.each(fronts)('finds the headers of %s however middy spells them', async (_name, toEvent) => {
  const handler = vi.fn();
  for (const canonical of [false, true]) {
    const receive = middify<LambdaEvent>()
      .use(httpHeaderNormalizer({ canonical }))
      .handler(webhook<[context: Context]>({ secret: SECRET, requireTimestamp: true }, handler));
    expect((await receive(toEvent(await call()), CONTEXT)).statusCode).toBe(200);
  }
  expect(handler.mock.calls.map(([event, , { awsRequestId }]) => [event, awsRequestId])).toEqual([
    [ENVELOPE, 'request-1'],
    [ENVELOPE, 'request-1'],
  ]);
});

// Not for a Load Balancer: its event has no `headers` here, and without them the parser itself refuses the event.
it.each(Object.entries({ restApi, httpApi }))(
  "says that middy's parser has replaced the body of %s, and what to do",
  async (_name, toEvent) => {
    const onError = vi.fn();
    const handler = vi.fn();
    const receive = middify<LambdaEvent>()
      .use(httpJsonBodyParser())
      .handler(webhook<[context: Context]>({ secret: SECRET, onError }, handler));
    const response = await receive(toEvent(await call()), CONTEXT);
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(response.body)).toEqual({
      error: 'body_already_parsed',
      message: expect.stringContaining('in middy no body parser'),
    });
    expect(onError.mock.calls).toEqual([[expect.toSatisfy(isWebhookVerificationError)]]);
    expect(handler).not.toHaveBeenCalled();
  },
);

it("says the same for an event that is unwrapped by hand after middy's parser", async () => {
  const receive = middify<LambdaEvent>()
    .use(httpJsonBodyParser())
    .handler(async ({ body, headers, isBase64Encoded }: LambdaEvent) =>
      unwrap({ body, headers, isBase64Encoded }, { secret: SECRET }),
    );
  await expect(receive(httpApi(await call()), CONTEXT)).rejects.toMatchObject({
    reason: 'body_already_parsed',
  });
});
