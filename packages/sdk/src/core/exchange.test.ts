import { describe, expect, it } from 'vitest';
import { clientOf, errorBody, failureOf } from '../../test/client.ts';
import { scripted, until, type Step } from '../../test/scripted-server.ts';
import { AbortError, ConnectionError, TimeoutError } from './errors.ts';
import { RateLimitedError, type APIError } from './api-error.ts';

const workspace = { id: 'ws_1', name: 'Acme' };
const ok: Step = { status: 200, body: workspace };
const failed = (status: number, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  body: errorBody('anything'),
});

describe('which failures are retried', () => {
  it.each([429, 500, 503])('%i is', async (status) => {
    await using server = await scripted(failed(status), ok);
    const { client } = clientOf(server);
    expect(await client.workspaces.get('ws_1')).toEqual(workspace);
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 422, 425, 501, 502, 504])(
    '%i is not',
    async (status) => {
      await using server = await scripted(failed(status), ok);
      const { client, clock } = clientOf(server);
      expect(await failureOf(client.workspaces.get('ws_1'))).toMatchObject({ status });
      expect(server.requests).toHaveLength(1);
      expect(clock.sleeps).toEqual([]);
    },
  );

  it('a lost connection is, also for a write, with the same key and body', async () => {
    await using server = await scripted('reset', failed(500), { status: 201, body: workspace });
    const { client } = clientOf(server);
    await client.workspaces.create({ name: 'Acme', slug: 'acme' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys)).toHaveLength(1);
    expect(new Set(server.requests.map(({ body }) => body))).toEqual(
      new Set(['{"name":"Acme","slug":"acme"}']),
    );
  });

  it('a body that is cut short is, since the write may be repeated with its key', async () => {
    const cut: Step = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    };
    await using server = await scripted(cut, ok);
    const { client } = clientOf(server);
    expect(await client.workspaces.get('ws_1')).toEqual(workspace);
  });

  it('a 409 is when it says how long the first request still takes', async () => {
    await using server = await scripted(failed(409, { 'retry-after': '1' }), ok);
    const { client, clock } = clientOf(server);
    await client.workspaces.delete('ws_1');
    expect(clock.sleeps).toEqual([1_000]);
  });
});

describe('how long the client waits', () => {
  it('doubles from 1 second to a cap of 60', async () => {
    await using server = await scripted(failed(503));
    const { client, clock } = clientOf(server, { maxRetries: 8 });
    await failureOf(client.me.get());
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('gives up after maxRetries with the last error', async () => {
    await using server = await scripted(failed(500), failed(503));
    const { client } = clientOf(server, { maxRetries: 1 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(2);
  });

  it('never undercuts Retry-After, and adds jitter to it', async () => {
    await using server = await scripted(failed(503, { 'retry-after': '7' }), ok);
    const { client, clock } = clientOf(server);
    clock.chance = 0.999;
    await client.me.get();
    expect(clock.sleeps[0]).toBeGreaterThan(7_000);
    expect(clock.sleeps[0]).toBeLessThan(7_250);
  });

  it('takes X-RateLimit-Reset when a 429 has no Retry-After, by the clock of the server', async () => {
    const date = Date.UTC(2031, 5, 1);
    const reset = String(date / 1_000 + 23);
    const headers = { 'x-ratelimit-reset': reset, date: new Date(date).toUTCString() };
    await using server = await scripted(failed(429, headers), ok);
    const { client, clock } = clientOf(server);
    await client.me.get();
    expect(clock.sleeps[0]).toBe(23_000);
  });

  it.each(['1e9', '-1', 'NaN', '0', '', 'Fri, 31 Dec 2032 23:59:59 GMT', '99999999999999999999'])(
    'falls back to the schedule for Retry-After: %s',
    async (value) => {
      await using server = await scripted(failed(503, { 'retry-after': value }), ok);
      const { client, clock } = clientOf(server);
      await client.me.get();
      expect(clock.sleeps).toEqual([1_000]);
    },
  );

  it('throws at once when the server asks for more than maxRetryAfter', async () => {
    await using server = await scripted(failed(429, { 'retry-after': '61' }), ok);
    const { client, clock } = clientOf(server);
    const error = await failureOf(client.me.get());
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfter: 61 });
    expect(clock.sleeps).toEqual([]);
    // Nor does it keep the other calls waiting for that long.
    expect(await client.me.get()).toEqual(workspace);
  });

  it('a 429 of one call holds back the others', async () => {
    await using server = await scripted(failed(429, { 'retry-after': '5' }), ok);
    const { client, clock } = clientOf(server);
    clock.auto = false;
    const first = client.me.get();
    await until(() => clock.sleeps.length === 1);
    const second = client.withOptions({ maxRetries: 0 }).me.get();
    await until(() => clock.sleeps.length === 2);
    expect(server.requests).toHaveLength(1);
    expect(clock.sleeps[1]).toBe(5_000);
    clock.advance(5_000);
    await Promise.all([first, second]);
    expect(server.requests).toHaveLength(3);
  });

  it('a client with another key is not held back', async () => {
    await using server = await scripted(failed(429, { 'retry-after': '5' }), ok);
    const { client, clock } = clientOf(server);
    clock.auto = false;
    const held = client.me.get();
    await until(() => clock.sleeps.length === 1);
    await client.withOptions({ apiKey: 'hl_other' }).me.get();
    clock.advance(5_000);
    await held;
  });
});

describe('limits', () => {
  it('timeout ends one attempt, the body included, and the next begins', async () => {
    const stalls: Step = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    };
    await using server = await scripted('hang', stalls, ok);
    const { client, clock } = clientOf(server, { timeout: 5_000 });
    const call = client.workspaces.get('ws_1');
    for (const attempts of [1, 2]) {
      await until(() => server.requests.length === attempts);
      clock.advance(5_000);
    }
    expect(await call).toEqual(workspace);
    expect(server.requests).toHaveLength(3);
    expect(clock.open).toBe(0);
  });

  it('a timeout on every attempt is a TimeoutError that is a ConnectionError, and leaves no connection', async () => {
    await using server = await scripted('hang');
    const { client, clock } = clientOf(server, { timeout: 5_000, maxRetries: 0 });
    const call = failureOf(client.members.remove('ws_1', 'usr_1', { idempotencyKey: 'mine' }));
    await until(() => server.requests.length === 1);
    clock.advance(5_000);
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: 'mine', name: 'TimeoutError' });
    await until(() => server.underWay === 0);
  });

  it('totalTimeout is not outlived by a wait: the last error is thrown at once', async () => {
    await using server = await scripted(failed(503));
    const { client, clock } = clientOf(server, { totalTimeout: 5_000 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 503 });
    expect(clock.sleeps).toEqual([1_000, 2_000]);
  });

  it('totalTimeout cuts an attempt short and is not retried', async () => {
    await using server = await scripted('hang');
    const { client, clock } = clientOf(server, { totalTimeout: 2_000, timeout: 60_000 });
    const call = failureOf(client.me.get());
    await until(() => server.requests.length === 1);
    clock.advance(2_000);
    expect((await call).message).toContain('totalTimeout');
    expect(server.requests).toHaveLength(1);
  });

  it('an abort ends an attempt, with its reason', async () => {
    await using server = await scripted('hang');
    const { client, clock } = clientOf(server);
    const controller = new AbortController();
    const call = failureOf(client.me.get({ signal: controller.signal }));
    await until(() => server.requests.length === 1);
    const reason = new Error('not needed any more');
    controller.abort(reason);
    const error = await call;
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe(reason);
    await until(() => server.underWay === 0);
    expect(clock.open).toBe(0);
  });

  it('an abort ends a wait', async () => {
    await using server = await scripted(failed(503));
    const { client, clock } = clientOf(server);
    clock.auto = false;
    const controller = new AbortController();
    const call = failureOf(client.me.get({ signal: controller.signal }));
    await until(() => clock.sleeps.length === 1);
    controller.abort();
    expect(await call).toBeInstanceOf(AbortError);
    expect(clock.open).toBe(0);
  });

  it('an abort before the call sends nothing', async () => {
    await using server = await scripted(ok);
    const { client } = clientOf(server);
    expect(await failureOf(client.me.get({ signal: AbortSignal.abort() }))).toBeInstanceOf(AbortError);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    { timeout: 0 },
    { timeout: Number.NaN },
    { totalTimeout: -1 },
    { maxRetries: 1.5 },
    { maxRetries: -1 },
    { maxRetryAfter: Number('x') },
  ])('%j is refused', async (options) => {
    await using server = await scripted(ok);
    const { client } = clientOf(server);
    expect((await failureOf(client.me.get(options))).message).toContain(Object.keys(options)[0]);
    expect(() => clientOf(server, options)).toThrow(Object.keys(options)[0]);
  });
});

describe('idempotency keys', () => {
  it('differ from call to call, and are absent from reads', async () => {
    await using server = await scripted(ok);
    const { client } = clientOf(server);
    await client.workspaces.update('ws_1', { name: 'A' });
    await client.workspaces.update('ws_1', { name: 'A' });
    await client.workspaces.get('ws_1');
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBeUndefined();
  });

  it('of the caller are sent, and are on the error', async () => {
    await using server = await scripted(failed(422));
    const { client } = clientOf(server);
    const error = await failureOf(client.workspaces.delete('ws_1', { idempotencyKey: 'order-66' }));
    expect((error as APIError).idempotencyKey).toBe('order-66');
    expect(server.requests[0]?.headers['idempotency-key']).toBe('order-66');
  });

  it.each(['', 'a b', 'a\nb', 'é', 'x'.repeat(256)])(
    '%j is refused before anything is sent',
    async (idempotencyKey) => {
      await using server = await scripted(ok);
      const { client } = clientOf(server);
      const error = await failureOf(client.workspaces.delete('ws_1', { idempotencyKey }));
      expect(error.message).toContain('1 to 255 visible ASCII');
      expect(server.requests).toHaveLength(0);
    },
  );
});
