import { HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RateLimiter, takeAll } from '../../../src/limits/rate-limiter.ts';
import type { ReadResponse, Api } from '../support/api.ts';
import {
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { Browser } from '../support/browser.ts';
import { raw } from '../support/raw-http.ts';

const LIMIT = 10;
const WINDOW_MS = 60_000;

let workspace: TestWorkspace & { stop(): Promise<void> };
let a: TestWorkspace;
let b: TestWorkspace;
let stranger: TestWorkspace;
let key: Api;
const start = Date.parse('2026-03-01T10:00:00.000Z');
let now = new Date(start);

beforeAll(async () => {
  workspace = await startWorkspace({ clock: () => now, flags: { rateLimit: LIMIT } });
  // Each step of the setup counts in another window.
  const step = async <Made>(make: () => Promise<Made>) => {
    now = new Date(now.getTime() + WINDOW_MS);
    return make();
  };
  a = await step(() => newWorkspace(workspace));
  b = await step(() => newWorkspace(workspace));
  stranger = await step(() => newStranger(workspace));
  key = workspace.api.as((await step(() => newKey(a))).key);
});
afterAll(() => workspace.stop());
// Every test begins a new window.
beforeEach(() => {
  now = new Date((Math.floor(now.getTime() / WINDOW_MS) + 1) * WINDOW_MS);
});

const readA = (api: Api) => api.send('workspaces.get', { params: { id: a.workspaceId } });
const use = async (count: number, send: () => Promise<ReadResponse>) => {
  const responses: ReadResponse[] = [];
  for (let index = 0; index < count; index++) responses.push(await send());
  return responses;
};
const statuses = (responses: ReadResponse[]) => responses.map(({ status }) => status);
const remaining = ({ headers }: ReadResponse) => Number(headers.get(HEADERS.rateLimitRemaining));

describe('the limit of a workspace', () => {
  it('allows this many requests in a minute, over all keys, and refuses the next with 429', async () => {
    const personal = workspace.api;
    const responses = [...(await use(5, () => readA(personal))), ...(await use(5, () => readA(key)))];
    expect(statuses(responses)).toEqual(Array(LIMIT).fill(200));
    expect(responses.map(remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
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

  it('allows all requests again in the next window, and not a millisecond before', async () => {
    await use(LIMIT, () => readA(key));
    now = new Date(now.getTime() + WINDOW_MS - 1);
    const late = await readA(key);
    expect([late.status, late.headers.get(HEADERS.retryAfter)]).toEqual([429, '1']);
    now = new Date(now.getTime() + 1);
    expect(remaining(await readA(key))).toBe(LIMIT - 1);
  });

  it('does not touch other workspaces', async () => {
    await use(LIMIT + 5, () => readA(key));
    const other = await workspace.api.send('workspaces.get', { params: { id: b.workspaceId } });
    expect([other.status, remaining(other)]).toEqual([200, LIMIT - 1]);
    expect((await stranger.api.send('workspaces.list')).status).toBe(200);
  });

  it('cannot be used up by those who are not in it', async () => {
    const responses = await use(LIMIT + 2, () => readA(stranger.api));
    // These requests are charged to the caller.
    expect(statuses(responses)).toEqual([...Array<number>(LIMIT).fill(404), 429, 429]);
    expect(remaining(await readA(key))).toBe(LIMIT - 1);
  });

  it('counts refused requests, and requests about resources of the workspace', async () => {
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

  it('counts requests of a personal key with a malformed query or ID', async () => {
    const params = { id: a.workspaceId };
    const responses = [
      await workspace.api.send('events.list', { params, query: { limit: '0' } }),
      await workspace.api.send('events.list', { params, query: { nothing: 'x' } }),
      await workspace.api.send('events.get', { params: { ...params, eventId: 'evt_x' } }),
      await workspace.api.send('webhooks.list', { query: { workspace_id: a.workspaceId, limit: '0' } }),
    ];
    expect(statuses(responses)).toEqual([400, 400, 404, 400]);
    expect(responses.map(remaining)).toEqual([LIMIT - 1, LIMIT - 2, LIMIT - 3, LIMIT - 4]);
    expect(remaining(await readA(key))).toBe(LIMIT - 5);
    expect(remaining(await workspace.api.send('me.get'))).toBe(LIMIT - 1);
  });

  it('counts a list of all workspaces that is filtered by this one', async () => {
    const query = { workspace_id: a.workspaceId };
    expect(remaining(await workspace.api.send('events.listAll', { query }))).toBe(LIMIT - 1);
    expect(remaining(await workspace.api.send('notifications.list', { query }))).toBe(LIMIT - 2);
    const foreign = await stranger.api.send('events.listAll', { query });
    expect([foreign.status, remaining(foreign)]).toEqual([404, LIMIT - 1]);
    expect(remaining(await readA(key))).toBe(LIMIT - 3);
    expect(remaining(await workspace.api.send('events.listAll'))).toBe(LIMIT - 1);
  });

  it('holds when all requests come at once', async () => {
    const responses = await Promise.all(Array.from({ length: LIMIT * 3 }, () => readA(key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(LIMIT * 2);
  });

  it('is no outcome that an Idempotency-Key replays', async () => {
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
    workspace.api.as(null).request('GET', '/me', { headers });

  it('are counted by address, whatever they claim', async () => {
    const responses: ReadResponse[] = [];
    for (let index = 0; index < LIMIT + 1; index++) {
      responses.push(
        await anonymous({
          'X-Forwarded-For': `10.0.0.${index}`,
          Forwarded: `for=10.0.0.${index}`,
          'X-Real-IP': `10.0.0.${index}`,
          Authorization: `Bearer hl_${index}`,
        }),
      );
    }
    expect(statuses(responses)).toEqual([...Array<number>(LIMIT).fill(401), 429]);
    // Callers with a key are not limited by callers without one at the same address.
    expect((await readA(key)).status).toBe(200);
  });

  it('are counted together: unknown paths, wrong methods, broken requests and invitations to accept', async () => {
    const nobody = workspace.api.as(null);
    const responses = [
      await nobody.request('GET', '/nothing'),
      await nobody.request('PUT', '/workspaces'),
      await nobody.send('invitations.accept', { body: { token: 'x' } }),
      await nobody.request('GET', '/openapi.json'),
      ...(await raw(workspace.server.url, 'GET /v1/me HTTP/1.1\n\n', { responses: 1 })).responses,
      ...(
        await raw(workspace.server.url, `GET / HTTP/1.1\nHost: x\nA: ${'a'.repeat(20_000)}\n\n`, {
          responses: 1,
        })
      ).responses,
      ...(await raw(workspace.server.url, 'nonsense\n\n', { responses: 1 })).responses,
      await anonymous(),
    ];
    expect(statuses(responses)).toEqual([404, 405, 404, 200, 400, 431, 400, 401]);
    expect(responses.map(remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });
});

it('behind a trusted proxy, the address is the last one that the proxy has seen', async () => {
  const proxied = await startWorkspace({ flags: { rateLimit: 3, behindProxy: true } });
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
    // Some proxies add the client's port, which each connection chooses anew.
    expect(await from('203.0.113.9:40001')).toBe(429);
    for (let port = 1; port <= 3; port++) expect(await from(`[2001:db8::1]:${port}`)).toBe(401);
    expect(await from('2001:db8::1')).toBe(429);
  } finally {
    await proxied.stop();
  }
});

const limitsOf = ({ headers }: ReadResponse) =>
  [HEADERS.rateLimitLimit, HEADERS.rateLimitRemaining, HEADERS.rateLimitReset, HEADERS.retryAfter].map(
    (name) => (headers.has(name) ? Number(headers.get(name)) : null),
  );

describe('a burst limit', () => {
  const begin = start / 1_000;
  const clock = { now: new Date(start) };
  let bursting: TestWorkspace & { stop(): Promise<void> };
  beforeAll(async () => {
    bursting = await startWorkspace({ clock: () => clock.now, flags: { rateLimit: 10, burst: 3 } });
  });
  afterAll(() => bursting.stop());
  const at = (ms: number) => (clock.now = new Date(start + ms));
  const me = () => bursting.api.send('me.get');

  it('refuses excess requests within one second, says so, and does not count them against the minute', async () => {
    at(200);
    const responses = await use(8, me);
    expect(statuses(responses)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(limitsOf(responses[2] as ReadResponse)).toEqual([10, 7, begin + 60, null]);
    for (const refused of responses.slice(3)) {
      expect(limitsOf(refused)).toEqual([3, 0, begin + 1, 1]);
      expect(refused.text).toContain('More than 3 requests in a second.');
    }
    at(1_000);
    expect((await use(3, me)).map(limitsOf)).toEqual([6, 5, 4].map((left) => [10, left, begin + 60, null]));
  });

  it('gives way to the limit of the minute when both refuse: that one lasts longer', async () => {
    at(2_000);
    await use(3, me);
    at(3_000);
    expect(limitsOf(await me())).toEqual([10, 0, begin + 60, null]);
    const refused = await use(4, me);
    expect(refused.map(limitsOf)).toEqual(Array.from({ length: 4 }, () => [10, 0, begin + 60, 57]));
    expect(refused[0]?.text).toContain('More than 10 requests in a minute.');
  });
});

describe('calls of providers', () => {
  const SECRET = 's3cret';
  const INGEST_LIMIT = LIMIT * 10;
  let url: string;

  beforeAll(async () => {
    now = new Date(now.getTime() + WINDOW_MS);
    url = await connect();
  });

  async function connect(): Promise<string> {
    const { ingest } = await key.call('integrations.connect', {
      body: {
        provider: 'custom',
        workspace_id: a.workspaceId,
        credentials: { preset: 'shared-token', secret: SECRET },
      },
    });
    return ingest.url;
  }

  async function call(token = SECRET, to = url): Promise<ReadResponse> {
    const response = await fetch(to, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: unique('text') }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: undefined };
  }

  it('count against the minute of their workspace, and their responses show it', async () => {
    const responses = [await call(), await readA(key), await call(), await call(SECRET, `${url}/slack`)];
    expect(statuses(responses)).toEqual([202, 200, 202, 200]);
    expect(responses.map(remaining)).toEqual([9, 8, 7, 6]);
    expect(limitsOf(responses[0] as ReadResponse)).toEqual([LIMIT, 9, now.getTime() / 1_000 + 60, null]);
    await use(6, call);
    const refused = await readA(key);
    expect([refused.status, ...limitsOf(refused)]).toEqual([429, LIMIT, 0, now.getTime() / 1_000 + 60, 60]);
  });

  it('are accepted when the minute is used up, and refused only beyond their own limit', async () => {
    await use(LIMIT, () => readA(key));
    const taken = await use(INGEST_LIMIT, call);
    expect(new Set(statuses(taken))).toEqual(new Set([202]));
    expect(new Set(taken.map(remaining))).toEqual(new Set([0]));
    const refused = await use(3, call);
    const reset = now.getTime() / 1_000 + 60;
    expect(refused.map((response) => [response.status, ...limitsOf(response)])).toEqual(
      Array.from({ length: 3 }, () => [429, INGEST_LIMIT, 0, reset, 60]),
    );
    // Neither another integration of the workspace nor another workspace is limited.
    now = new Date(now.getTime() + WINDOW_MS);
    const second = await connect();
    now = new Date(now.getTime() + WINDOW_MS);
    await use(INGEST_LIMIT + 1, call);
    expect((await call(SECRET, second)).status).toBe(202);
    expect((await workspace.api.send('workspaces.get', { params: { id: b.workspaceId } })).status).toBe(200);
    now = new Date(now.getTime() + WINDOW_MS);
    expect([(await call()).status, remaining(await readA(key))]).toEqual([202, LIMIT - 2]);
  });

  it('that prove nothing are charged to their address, and cannot use up anything of the workspace', async () => {
    const wrong = await use(LIMIT + 3, () => call('wrong'));
    expect(statuses(wrong)).toEqual([...Array<number>(LIMIT).fill(401), 429, 429, 429]);
    expect(wrong.slice(0, LIMIT).map(remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    // A provider at the same address is not limited: anybody may be able to make that provider call.
    expect([(await call()).status, remaining(await readA(key))]).toEqual([202, LIMIT - 2]);
  });

  it('for an unknown integration are charged to their address', async () => {
    const nobody = url.replace(/int_.*$/, 'int_00000000000000000000000000');
    expect(remaining(await call(SECRET, nobody))).toBe(LIMIT - 1);
    expect(remaining(await call('wrong'))).toBe(LIMIT - 2);
  });
});

it('a login beyond the limit of logins is not counted as a request', async () => {
  const limit = 100;
  const guarded = await startWorkspace({ clock: () => now, flags: { rateLimit: limit } });
  const logIn = () => new Browser(guarded.server.url).logIn('ana@example.com', 'not the password');
  try {
    for (let count = 1; count <= 10; count++) {
      const { status, headers } = await logIn();
      expect([status, headers.get(HEADERS.rateLimitRemaining)]).toEqual([401, String(limit - count)]);
    }
    for (let count = 0; count < 5; count++) {
      const { status, headers } = await logIn();
      expect([status, headers.get(HEADERS.rateLimitLimit), headers.get(HEADERS.rateLimitRemaining)]).toEqual([
        429,
        '10',
        '0',
      ]);
    }
    const anonymous = await guarded.api.as(null).request('GET', '/openapi.json');
    expect(remaining(anonymous)).toBe(limit - 10 - 1);
  } finally {
    await guarded.stop();
  }
});

describe('several limits at once', () => {
  it('charge all or none, and report the refusal that lasts longest', () => {
    const [minute, second] = [new RateLimiter(3), new RateLimiter(1, 1_000)];
    const take = () =>
      takeAll(
        [
          [minute, 'a'],
          [second, 'a'],
        ],
        now,
      );
    expect(take()).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
    for (let index = 0; index < 5; index++)
      expect(take()).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
    expect(minute.look('a', now)).toMatchObject({ remaining: 1 });
    minute.take('a', now);
    minute.take('a', now);
    expect(take()).toMatchObject({ allowed: false, limit: 3, remaining: 0, retryAfter: 60 });
    minute.giveBack('a', now);
    expect(minute.look('a', now)).toMatchObject({ allowed: true, remaining: 0 });
  });
});

describe('the memory of the limiter', () => {
  it('is bounded: beyond 200,000 addresses, new ones share one count', () => {
    const limiter = new RateLimiter(5);
    for (let index = 0; index < 200_000; index++) limiter.take(`ip:${index}`, now);
    for (let index = 0; index < 5; index++)
      expect(limiter.take(`new:${index}`, now)).toMatchObject({ allowed: true, remaining: 4 - index });
    expect(limiter.take('new:5', now)).toMatchObject({ allowed: false });
    // The first addresses keep their own count.
    expect(limiter.take('ip:0', now)).toMatchObject({ allowed: true, remaining: 3 });
  });
});

describe('the limit of sessions', () => {
  it('is a separate one for all sessions of a user: a dashboard and the programs of its workspace take nothing from each other', async () => {
    const [email, password] = ['limited@example.com', 'correct horse battery'];
    const { invite_url: url } = await a.api.call('members.invite', {
      params: { id: a.workspaceId },
      body: { email, role: 'viewer' },
    });
    const token = new URL(url).searchParams.get('token');
    await workspace.api.as(null).call('invitations.accept', { body: { token, password } });
    const [browser, other] = [new Browser(workspace.server.url), new Browser(workspace.server.url)];
    expect((await browser.logIn(email, password)).status).toBe(200);
    expect((await other.logIn(email, password)).status).toBe(200);
    const look = (from: Browser) => from.request('GET', `/v1/workspaces/${a.workspaceId}`);
    now = new Date(now.getTime() + WINDOW_MS);
    await use(LIMIT, () => readA(key));
    expect((await readA(key)).status).toBe(429);
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { status, headers } = await look(left % 2 === 0 ? browser : other);
      expect([status, headers.get(HEADERS.rateLimitRemaining)]).toEqual([200, String(left)]);
    }
    expect((await look(browser)).status).toBe(429);
    expect((await look(other)).status).toBe(429);
    now = new Date(now.getTime() + WINDOW_MS);
    for (let count = 0; count < LIMIT; count++) await look(browser);
    expect((await readA(key)).status).toBe(200);
  });
});
