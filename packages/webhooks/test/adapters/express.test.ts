import express from 'express';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { listen } from '../listen.ts';
import { ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/express.ts';

describeAdapter('Express', (options, handler) =>
  Promise.resolve().then(() => {
    const app = express();
    app.post('/hooks', webhook(options, handler));
    app.use(express.json());
    return listen(app);
  }),
);

const send = async (url: string) =>
  fetch(url, {
    method: 'POST',
    ...((await signed()) as RequestInit),
    headers: { ...(await signed()).headers, 'content-type': 'application/json' },
  });

it('works behind express.raw() and express.text()', async () => {
  for (const parser of [express.raw({ type: () => true }), express.text({ type: () => true })]) {
    const handler = vi.fn();
    const app = express();
    app.use(parser);
    app.post('/hooks', webhook({ secret: SECRET }, handler));
    const server = await listen(app);
    expect((await send(server.url)).status).toBe(200);
    expect(handler.mock.calls[0]?.[0]).toEqual(ENVELOPE);
    await server.stop();
  }
});

it('works behind a parser of other content types, which leaves the body alone', async () => {
  const app = express();
  app.use(express.urlencoded());
  app.post(
    '/hooks',
    webhook({ secret: SECRET }, () => undefined),
  );
  const server = await listen(app);
  expect((await send(server.url)).status).toBe(200);
  await server.stop();
});

it('works when Express 4 has set body to {} without reading', async () => {
  const app = express();
  app.use((request, _response, next) => {
    request.body = {};
    next();
  });
  app.post(
    '/hooks',
    webhook({ secret: SECRET }, () => undefined),
  );
  const server = await listen(app);
  expect((await send(server.url)).status).toBe(200);
  await server.stop();
});

it('responds with 400 at once behind express.json(), and says what to change', async () => {
  const onError = vi.fn();
  const app = express();
  app.use(express.json());
  app.post(
    '/hooks',
    webhook({ secret: SECRET, onError }, () => undefined),
  );
  const server = await listen(app);
  const response = await send(server.url);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'body_already_parsed' });
  expect(onError.mock.lastCall?.[0]).toMatchObject({ reason: 'body_already_parsed' });
  await server.stop();
});

it('gives the Express request to the handler', async () => {
  const seen: unknown[] = [];
  const app = express();
  app.post(
    '/hooks/:team',
    webhook({ secret: SECRET }, (_event, request: express.Request<{ team: string }>) =>
      seen.push(request.params.team),
    ),
  );
  const server = await listen(app);
  expect((await send(`${server.url}/blue`)).status).toBe(200);
  expect(seen).toEqual(['blue']);
  await server.stop();
});

const rawBody = express.json({
  limit: '1mb',
  verify: (request, _response, bytes) => {
    Object.assign(request, { rawBody: bytes });
  },
});
const raw = express.raw({ type: () => true, limit: '1mb' });

it.each([
  ['express.json() that keeps rawBody', [rawBody], 200],
  ['express.raw() before express.json()', [raw, express.json()], 200],
  ['express.raw() after express.json()', [express.json({ limit: '1mb' }), raw], 400],
  ['express.raw() without a limit', [express.raw({ type: () => true })], 413],
])('a body of 150 KB behind %s', async (_, parsers, status) => {
  const app = express();
  // Express prints errors that nobody handles.
  app.set('env', 'test');
  app.post(
    '/hooks',
    ...parsers,
    webhook({ secret: SECRET, onError: () => undefined }, () => undefined),
  );
  const server = await listen(app);
  const body = JSON.stringify({ ...ENVELOPE, data: { text: 'x'.repeat(150_000) } });
  const { headers } = await signed(body);
  const call = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
  expect((await fetch(server.url, call)).status).toBe(status);
  await server.stop();
});
