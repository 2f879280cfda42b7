import { HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RateLimiter } from '../../src/rate-limiter.ts';
import type { Answer, Api } from './support/api.ts';
import { newKey, newStranger, newWorkspace, type Place, startPlace, unique } from './support/place.ts';
import { raw } from './support/raw-http.ts';

const LIMIT = 10;
const WINDOW_MS = 60_000;

let place: Place & { stop(): Promise<void> };
let a: Place;
let b: Place;
let stranger: Place;
let key: Api;
const start = Date.parse('2026-03-01T10:00:00.000Z');
let now = new Date(start);

beforeAll(async () => {
  place = await startPlace({ clock: () => now, flags: { rateLimit: LIMIT } });
  // What is made here is charged to other windows.
  const step = async <Made>(make: () => Promise<Made>) => {
    now = new Date(now.getTime() + WINDOW_MS);
    return make();
  };
  a = await step(() => newWorkspace(place));
  b = await step(() => newWorkspace(place));
  stranger = await step(() => newStranger(place));
  key = place.api.as((await step(() => newKey(a))).key);
});
afterAll(() => place.stop());
// Every test begins a window.
beforeEach(() => {
  now = new Date((Math.floor(now.getTime() / WINDOW_MS) + 1) * WINDOW_MS);
});

const readA = (api: Api) => api.send('workspaces.get', { params: { id: a.workspaceId } });
const use = async (count: number, send: () => Promise<Answer>) => {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index++) answers.push(await send());
  return answers;
};
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const remaining = ({ headers }: Answer) => Number(headers.get(HEADERS.rateLimitRemaining));

describe('the limit of a workspace', () => {
  it('lets through so many requests in a minute, over all keys, and refuses the next with 429', async () => {
    const personal = place.api;
    const answers = [...(await use(5, () => readA(personal))), ...(await use(5, () => readA(key)))];
    expect(statuses(answers)).toEqual(Array(LIMIT).fill(200));
    expect(answers.map(remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    now = new Date(now.getTime() + 15_500);
    const refused = await key.refused('workspaces.get', 429, { params: { id: a.workspaceId } });
    expect(refused.code).toBe('rate_limited');
    const { headers } = refused;
    expect(headers.get(HEADERS.rateLimitLimit)).toBe(String(LIMIT));
    expect(headers.get(HEADERS.rateLimitRemaining)).toBe('0');
    expect(headers.get(HEADERS.retryAfter)).toBe('45');
    expect(Number(headers.get(HEADERS.rateLimitReset)) * 1_000 - now.getTime()).toBe(44_500);
    expect((await readA(personal)).status).toBe(429);
  });

  it('is full again in the next window, and not a millisecond before', async () => {
    await use(LIMIT, () => readA(key));
    now = new Date(now.getTime() + WINDOW_MS - 1);
    const late = await readA(key);
    expect([late.status, late.headers.get(HEADERS.retryAfter)]).toEqual([429, '1']);
    now = new Date(now.getTime() + 1);
    expect(remaining(await readA(key))).toBe(LIMIT - 1);
  });

  it('does not touch other workspaces', async () => {
    await use(LIMIT + 5, () => readA(key));
    const other = await place.api.send('workspaces.get', { params: { id: b.workspaceId } });
    expect([other.status, remaining(other)]).toEqual([200, LIMIT - 1]);
    expect((await stranger.api.send('workspaces.list')).status).toBe(200);
  });

  it('cannot be used up by those who are not in it', async () => {
    const answers = await use(LIMIT + 2, () => readA(stranger.api));
    // Charged to oneself.
    expect(statuses(answers)).toEqual([...Array<number>(LIMIT).fill(404), 429, 429]);
    expect(remaining(await readA(key))).toBe(LIMIT - 1);
  });

  it('counts what is refused, and what is asked about its parts', async () => {
    const body = { url: 'ftp://x', events: ['*'], workspace_id: a.workspaceId, secret: 's' };
    expect(remaining(await key.send('webhooks.create', { body }))).toBe(LIMIT - 1);
    expect(remaining(await key.send('workspaces.update', { params: { id: a.workspaceId }, text: '{' }))).toBe(
      LIMIT - 2,
    );
    expect(
      remaining(await key.send('workspaces.update', { params: { id: a.workspaceId }, body: { name: '' } })),
    ).toBe(LIMIT - 3);
    expect(remaining(await key.send('workspaces.create', { body: {} }))).toBe(LIMIT - 4);
    expect(remaining(await key.send('me.get'))).toBe(LIMIT - 5);
    expect(remaining(await key.send('workspaces.list', { query: { limit: 'x' } }))).toBe(LIMIT - 6);
  });

  it('holds when all come at once', async () => {
    const answers = await Promise.all(Array.from({ length: LIMIT * 3 }, () => readA(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT * 2);
  });

  it('is not remembered by an Idempotency-Key', async () => {
    const input = {
      params: { id: a.workspaceId },
      body: { type: 't', payload: {} },
      headers: { [HEADERS.idempotencyKey]: unique('key') },
    };
    await use(LIMIT, () => readA(key));
    await key.refused('events.publish', 429, input);
    now = new Date(now.getTime() + WINDOW_MS);
    await key.call('events.publish', input);
  });
});

describe('requests without a key', () => {
  const anonymous = (headers: Record<string, string> = {}) =>
    place.api.as(null).request('GET', '/me', { headers });

  it('are counted by address, whatever they claim', async () => {
    const answers: Answer[] = [];
    for (let index = 0; index < LIMIT + 1; index++) {
      answers.push(
        await anonymous({
          'X-Forwarded-For': `10.0.0.${index}`,
          Forwarded: `for=10.0.0.${index}`,
          'X-Real-IP': `10.0.0.${index}`,
          Authorization: `Bearer hl_${index}`,
        }),
      );
    }
    expect(statuses(answers)).toEqual([...Array<number>(LIMIT).fill(401), 429]);
    // Whoever has a key is not hindered by those at the same address who have none.
    expect((await readA(key)).status).toBe(200);
  });

  it('are counted together: unknown paths, wrong methods, broken requests and accepted invitations', async () => {
    const nobody = place.api.as(null);
    const answers = [
      await nobody.request('GET', '/nothing'),
      await nobody.request('PUT', '/workspaces'),
      await nobody.send('invitations.accept', { body: { token: 'x' } }),
      await nobody.request('GET', '/openapi.json'),
      ...(await raw(place.server.url, 'GET /v1/me HTTP/1.1\n\n', { responses: 1 })).answers,
      ...(
        await raw(place.server.url, `GET / HTTP/1.1\nHost: x\nA: ${'a'.repeat(20_000)}\n\n`, { responses: 1 })
      ).answers,
      ...(await raw(place.server.url, 'nonsense\n\n', { responses: 1 })).answers,
      await anonymous(),
    ];
    expect(statuses(answers)).toEqual([404, 405, 404, 200, 400, 431, 400, 401]);
    expect(answers.map(remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });
});

it('behind a trusted proxy, the address is the last one that the proxy has seen', async () => {
  const proxied = await startPlace({ flags: { rateLimit: 3, behindProxy: true } });
  try {
    const from = async (forwarded: string) =>
      (
        await proxied.api.as(null).request('GET', '/me', {
          headers: { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': 'https' },
        })
      ).status;
    for (let index = 0; index < 3; index++) expect(await from(`10.0.0.${index}, 203.0.113.9`)).toBe(401);
    expect(await from('10.9.9.9, 203.0.113.9')).toBe(429);
    expect(await from('203.0.113.10')).toBe(401);
  } finally {
    await proxied.stop();
  }
});

it('a burst limit refuses what comes within one second', async () => {
  const clock = { now: new Date(start) };
  const bursting = await startPlace({ clock: () => clock.now, flags: { burst: 3 } });
  try {
    const answers = await use(4, () => bursting.api.send('me.get'));
    expect(statuses(answers)).toEqual([200, 200, 200, 429]);
    expect(answers[3]?.headers.get(HEADERS.retryAfter)).toBe('1');
    clock.now = new Date(start + 1_000);
    expect((await bursting.api.send('me.get')).status).toBe(200);
  } finally {
    await bursting.stop();
  }
});

describe('the memory of the limiter', () => {
  it('is bounded, however many addresses come', () => {
    const limiter = new RateLimiter(5);
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 500_000; index++) limiter.take(`ip:${index}`, now);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
    // Those who came first keep their own count.
    expect(limiter.take('ip:0', now)).toMatchObject({ allowed: true, remaining: 3 });
  });
});
