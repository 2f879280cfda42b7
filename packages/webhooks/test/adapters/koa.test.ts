import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { listen } from '../listen.ts';
import { ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/koa.ts';

describeAdapter('Koa', (options, handler) =>
  Promise.resolve().then(() => {
    const receive = webhook(options, handler);
    const app = new Koa();
    // Otherwise Koa prints broken connections.
    app.silent = true;
    app.use((ctx) => receive(ctx));
    return listen(app.callback());
  }),
);

it('works behind the body parser, which keeps the raw body, and gives the context to the handler', async () => {
  const handler = vi.fn();
  const app = new Koa();
  app.use(bodyParser());
  app.use(webhook({ secret: SECRET }, (event, ctx: Koa.Context) => handler(event, ctx.path)));
  const server = await listen(app.callback());
  const { body, headers } = await signed();
  const call = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: body as string,
  };
  expect((await fetch(server.url, call)).status).toBe(200);
  expect(handler.mock.calls).toEqual([[ENVELOPE, '/hooks']]);
  await server.stop();
});
