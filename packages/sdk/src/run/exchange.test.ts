import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientOf, errorBody, failureOf } from '../../test/client.ts';
import { scripted, type Step, until } from '../../test/scripted-server.ts';
import { type APIError, isAPIError, RateLimitedError } from '../core/api-error.ts';
import { AbortError, ConnectionError, TimeoutError } from '../core/errors.ts';

const workspace = { id: 'ws_1', name: 'Acme' };
const ok: Step = { status: 200, body: workspace };
const failed = (status: number, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  body: errorBody('anything'),
});

describe('retries', () => {
  it.each([429, 500, 503])('%i is retried', async (status) => {
    await using server = await scripted(failed(status), ok);
    const { client } = clientOf(server);
    expect(await client.workspaces.get('ws_1')).toEqual(workspace);
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 422, 425, 501, 502, 504])(
    '%i is not retried',
    async (status) => {
      await using server = await scripted(failed(status), ok);
      const { client, time } = clientOf(server);
      expect(await failureOf(client.workspaces.get('ws_1'))).toMatchObject({ status });
      expect(server.requests).toHaveLength(1);
      expect(time.open).toBe(0);
    },
  );

  it('a lost connection is retried, also for a write, with the same key and body', async () => {
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

  it('a page over plain HTTP, which has no randomUUID, gets keys too', async () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal('crypto', { getRandomValues });
    onTestFinished(() => void vi.unstubAllGlobals());
    await using server = await scripted({ status: 201, body: workspace }, { status: 201, body: workspace });
    const { client } = clientOf(server);
    await client.workspaces.create({ name: 'Acme', slug: 'acme' });
    await client.workspaces.create({ name: 'Acme', slug: 'acme' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^\d+(-\d+){3}$/);
    expect(new Set(keys)).toHaveLength(2);
  });

  it('a body that is cut short is retried, since a write may be repeated with its key', async () => {
    const cut: Step = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    };
    await using server = await scripted(cut, ok);
    const { client } = clientOf(server);
    expect(await client.workspaces.get('ws_1')).toEqual(workspace);
  });

  it('a 409 is not retried, even with Retry-After, which the error reports', async () => {
    await using server = await scripted(failed(409, { 'retry-after': '1' }), ok);
    const error = await failureOf(
      clientOf(server).client.workspaces.delete('ws_1', { idempotencyKey: 'mine' }),
    );
    expect(error).toMatchObject({ status: 409, retryAfter: 1, idempotencyKey: 'mine' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the schedule of retries', () => {
  it('doubles from 1 second to a cap of 60', async () => {
    await using server = await scripted(failed(503));
    const { client } = clientOf(server, { maxRetries: 8 });
    await failureOf(client.me.get());
    expect(server.waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('adds up to a quarter at random, and never waits over 60 seconds', async () => {
    await using server = await scripted(failed(503));
    const { client, time } = clientOf(server, { maxRetries: 7 });
    time.chance = 1;
    await failureOf(client.me.get());
    expect(server.waits).toEqual([1_250, 2_500, 5_000, 10_000, 20_000, 40_000, 60_000]);
  });

  it('ends after maxRetries, with the last error', async () => {
    await using server = await scripted(failed(500), failed(503));
    const { client } = clientOf(server, { maxRetries: 1 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(2);
  });

  it('ends at once when the server asks for more than maxRetryAfter', async () => {
    await using server = await scripted(failed(503, { 'retry-after': '61' }), ok);
    const { client } = clientOf(server);
    expect(await failureOf(client.me.get())).toMatchObject({ status: 503, retryAfter: 61 });
    // Only that call was affected: a 503 does not pause the client.
    expect(await client.me.get()).toEqual(workspace);
    expect(server.waits).toEqual([0]);
  });

  it.each(['99999999999', '99999999999999999999', '9'.repeat(400)])(
    'does not wait for a Retry-After of %s',
    async (seconds) => {
      await using server = await scripted(failed(503, { 'retry-after': seconds }), ok);
      const error = await failureOf(clientOf(server).client.me.get());
      expect(error).toMatchObject({
        status: 503,
        retryAfter: Number(seconds.slice(0, 15)),
      });
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('after a 429, the whole client pauses', () => {
  const limited = (seconds: number) => failed(429, { 'retry-after': String(seconds) });

  it('a call that may wait that long waits', async () => {
    await using server = await scripted(limited(5), ok);
    const { client, time } = clientOf(server);
    time.auto = false;
    const first = client.me.get();
    await until(() => time.asleep);
    const second = client.me.get();
    await until(() => time.open === 2);
    expect(server.requests).toHaveLength(1);
    // p-retry's own wait comes first, then the rest of the time that the server asked for.
    time.advance(1_000);
    await until(() => time.open === 2);
    time.advance(4_000);
    await Promise.all([first, second]);
    expect(server.waits).toEqual([5_000, 0]);
  });

  it('a copy of the client with the same key pauses, too; one with another key does not', async () => {
    await using server = await scripted(limited(5), ok);
    const { client } = clientOf(server, { maxRetries: 0 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 429 });
    const copy = client.withOptions({ timeout: 1_000 });
    expect((await failureOf(copy.me.get())).message).toContain('was not sent');
    await client.withOptions({ apiKey: 'hl_other' }).me.get();
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['that may not retry', { maxRetries: 0 }],
    ['with less patience than the server asks for', { maxRetryAfter: 4_000 }],
    ['whose totalTimeout ends before the pause', { totalTimeout: 5_000 }],
  ])('a call %s fails at once without being sent, and says how long to wait', async (_, limits) => {
    await using server = await scripted(limited(30), ok);
    const { client, time } = clientOf(server);
    time.auto = false;
    const first = client.me.get();
    await until(() => time.asleep);
    time.advance(100);
    const error = await failureOf(client.workspaces.delete('ws_1', { ...limits, idempotencyKey: 'mine' }));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(isAPIError(error, 'rate_limited')).toBe(true);
    expect(error).toMatchObject({ status: 429, retryAfter: 30, requestId: null, idempotencyKey: 'mine' });
    expect(error.message).toContain('DELETE /workspaces/ws_1 was not sent');
    expect(server.requests).toHaveLength(1);
    time.auto = true;
    await first;
  });

  it('even if the wait is too long for the call that got the 429, and no longer than asked', async () => {
    await using server = await scripted(limited(300), ok);
    const { client, time } = clientOf(server);
    expect(await failureOf(client.me.get())).toMatchObject({ status: 429, retryAfter: 300 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 429, retryAfter: 300 });
    expect(server.requests).toHaveLength(1);
    time.advance(300_000);
    expect(await client.me.get()).toEqual(workspace);
  });

  it('even if the caller does all retries; a call after the time in the error is sent', async () => {
    await using server = await scripted(limited(2), ok);
    const { client, time } = clientOf(server, { maxRetries: 0 });
    const error = await failureOf(client.me.get());
    // Timers can fire a little early.
    time.advance(((error as RateLimitedError).retryAfter ?? 0) * 1_000 - 2);
    expect(await client.me.get()).toEqual(workspace);
  });

  it('for an hour at most, whatever the server asks', async () => {
    await using server = await scripted(limited(999_999_999_999_999), ok);
    const { client, time } = clientOf(server);
    await failureOf(client.me.get());
    time.advance(3_599_000);
    expect(await failureOf(client.me.get({ maxRetries: 0 }))).toMatchObject({ status: 429, retryAfter: 1 });
    time.advance(1_000);
    expect(await client.me.get({ maxRetries: 0 })).toEqual(workspace);
  });

  it('an abort ends the wait of a call', async () => {
    await using server = await scripted(limited(5), ok);
    const { client, time } = clientOf(server);
    time.auto = false;
    const first = client.me.get();
    await until(() => time.asleep);
    const controller = new AbortController();
    const call = failureOf(client.me.get({ signal: controller.signal }));
    await until(() => time.open === 2);
    controller.abort();
    expect(await call).toBeInstanceOf(AbortError);
    expect(time.open).toBe(1);
    time.auto = true;
    await first;
  });
});

describe('limits', () => {
  it('timeout ends one attempt, the body included, and the next begins', async () => {
    const stalls: Step = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    };
    await using server = await scripted('hang', stalls, ok);
    const { client, time } = clientOf(server, { timeout: 5_000 });
    const call = client.workspaces.get('ws_1');
    for (const attempts of [1, 2]) {
      await until(() => server.requests.length === attempts);
      time.advance(5_000);
    }
    expect(await call).toEqual(workspace);
    expect(server.requests).toHaveLength(3);
    expect(time.open).toBe(0);
  });

  it('a timeout on every attempt is a TimeoutError that is a ConnectionError, and leaves no connection', async () => {
    await using server = await scripted('hang');
    const { client, time } = clientOf(server, { timeout: 5_000, maxRetries: 0 });
    const call = failureOf(client.members.remove('ws_1', 'usr_1', { idempotencyKey: 'mine' }));
    await until(() => server.requests.length === 1);
    time.advance(5_000);
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: 'mine', name: 'TimeoutError' });
    await until(() => server.underWay === 0);
  });

  it('a wait that would outlast totalTimeout does not begin: the last error is thrown at once', async () => {
    await using server = await scripted(failed(503));
    const { client } = clientOf(server, { totalTimeout: 5_000 });
    expect(await failureOf(client.me.get())).toMatchObject({ status: 503 });
    expect(server.waits).toEqual([1_000, 2_000]);
  });

  it('totalTimeout cuts an attempt short and is not retried', async () => {
    await using server = await scripted('hang');
    const { client, time } = clientOf(server, { totalTimeout: 2_000, timeout: 60_000 });
    const call = failureOf(client.me.get());
    await until(() => server.requests.length === 1);
    time.advance(2_000);
    expect((await call).message).toContain('totalTimeout');
    expect(server.requests).toHaveLength(1);
  });

  it('totalTimeout is named even if its timer fires a fraction of a millisecond early', async () => {
    await using server = await scripted('hang');
    const { client, time } = clientOf(server, { totalTimeout: 2_000, timeout: 60_000 });
    time.advance(0.6);
    const call = failureOf(client.me.get());
    await until(() => server.requests.length === 1);
    time.advance(1_999.5);
    expect((await call).message).toContain('within its totalTimeout, 2000 ms');
  });

  it('an abort ends an attempt, with its reason', async () => {
    await using server = await scripted('hang');
    const { client, time } = clientOf(server);
    const controller = new AbortController();
    const call = failureOf(client.me.get({ signal: controller.signal }));
    await until(() => server.requests.length === 1);
    const reason = new Error('not needed anymore');
    controller.abort(reason);
    const error = await call;
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe(reason);
    await until(() => server.underWay === 0);
    expect(time.open).toBe(0);
  });

  it('an abort ends a wait', async () => {
    await using server = await scripted(failed(503));
    const { client, time } = clientOf(server);
    time.auto = false;
    const controller = new AbortController();
    const call = failureOf(client.me.get({ signal: controller.signal }));
    await until(() => time.asleep);
    controller.abort();
    expect(await call).toBeInstanceOf(AbortError);
    expect(time.open).toBe(0);
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

  it('given as a header are used, and are not replaced by a new one', async () => {
    await using server = await scripted('reset', failed(422));
    const { client } = clientOf(server);
    const headers = { 'Idempotency-Key': 'order-67' };
    const error = await failureOf(client.workspaces.delete('ws_1', { headers }));
    expect((error as APIError).idempotencyKey).toBe('order-67');
    const keys = server.requests.map((request) => request.headers['idempotency-key']);
    expect(keys).toEqual(['order-67', 'order-67']);
  });

  it('in the headers of the client are not shared by all calls', async () => {
    await using server = await scripted(ok);
    const { client } = clientOf(server, { headers: { 'Idempotency-Key': 'one' } });
    await client.workspaces.update('ws_1', { name: 'A' });
    await client.workspaces.update('ws_1', { name: 'B' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set([...keys, 'one']).size).toBe(3);
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
