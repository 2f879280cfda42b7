import type {
  ALBEvent,
  ALBHandler,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  Context as LambdaContext,
} from 'aws-lambda';
import express from 'express';
import Fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import Koa from 'koa';
import type { IncomingMessage } from 'node:http';
import type { WebhookEvent } from '../events/webhook-event.ts';
import { memorySeen, type SeenStore, unwrap, type WebhookOptions } from '../index.ts';
import { webhook as expressWebhook } from './express.ts';
import { webhook as fastifyWebhook } from './fastify.ts';
import { webhook as honoWebhook } from './hono.ts';
import { webhook as koaWebhook } from './koa.ts';
import { webhook as lambdaWebhook } from './lambda.ts';
import { webhook as nodeWebhook } from './node.ts';
import { webhook } from './web.ts';

// Compiled by tsc, never run: each adapter fits its framework, and the handler gets the framework's own types.
const secret = 'secret';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export function frameworks(): void {
  express().post(
    '/hooks',
    expressWebhook({ secret }, (event, request) => {
      assertType<Equal<typeof event, WebhookEvent>>();
      request.headers.host satisfies string | undefined;
    }),
  );
  new Hono<{ Bindings: { TEAM: string } }>().post(
    '/hooks',
    honoWebhook({ secret }, (_event, c: Context<{ Bindings: { TEAM: string } }>) => {
      c.env.TEAM satisfies string;
    }),
  );
  void Fastify().register(
    fastifyWebhook({ secret }, (_event, request: FastifyRequest) => request.log.info('x')),
    { prefix: '/hooks' },
  );
  new Koa().use(koaWebhook({ secret }, (_event, ctx: Koa.Context) => ctx.path));
  nodeWebhook({ secret }, (_event, request) => {
    request satisfies IncomingMessage;
  });
  const receive = lambdaWebhook<[context: LambdaContext]>({ secret }, (_event, lambdaEvent, context) => {
    lambdaEvent.body satisfies string | null | undefined;
    context.awsRequestId satisfies string;
  });
  receive satisfies APIGatewayProxyHandler & APIGatewayProxyHandlerV2 & ALBHandler;
  webhook<[env: { TEAM: string }]>({ secret }, (_event, request, env) => {
    request.url satisfies string;
    env.TEAM satisfies string;
  });
}

/** `unwrap` takes the Lambda events that always have headers and a body; the adapter takes all. */
export function lambdaEvents(v1: APIGatewayProxyEvent, v2: APIGatewayProxyEventV2, alb: ALBEvent): void {
  void unwrap(v1, { secret });
  // @ts-expect-error -- its body may be absent
  void unwrap(v2, { secret });
  // @ts-expect-error -- its headers may be absent
  void unwrap(alb, { secret });
}

/** An option may be `undefined`, as it often is in a configuration. Then the default applies. */
export function undefinedOptions(read: {
  tolerance?: number | undefined;
  seen?: SeenStore | undefined;
}): void {
  const options: WebhookOptions = {
    secret,
    tolerance: read.tolerance,
    requireTimestamp: undefined,
    maxAge: undefined,
    seen: read.seen,
    now: undefined,
    maxBodyBytes: undefined,
    onError: undefined,
  };
  webhook(options, () => undefined);
  void unwrap(new Request('https://app.example.com'), options);
  memorySeen({ ttl: undefined, lease: undefined, max: undefined });
  const secrets = ['next', 'current'] as const;
  void unwrap({ body: '{}', headers: {} }, { secrets });
  void unwrap({ body: '{}', headers: {} }, { secret, secrets: undefined });
}
