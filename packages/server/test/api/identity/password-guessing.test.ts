import { HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUserPassword } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { Browser } from '../support/browser.ts';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'correct horse battery';
const WRONG = 'not the password';
/** A sixth of the cost in production, which is still much in comparison with a request. */
const SLOW = { passwordCost: { N: 16_384, r: 8, p: 1 } };

let workspace: TestWorkspace & { stop(): Promise<void> };
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  workspace = await startWorkspace({ clock: () => now, flags: { behindProxy: true }, ...SLOW });
  const config = parseServerConfig(workspace.server.storage, {});
  await setUserPassword(config, { email: EMAIL, password: PASSWORD }, SLOW);
});
afterAll(() => workspace.stop());
// The limit counts attempts per minute.
beforeEach(() => {
  now = new Date(now.getTime() + 60_000);
});

const via = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
const logIn = (address: string, password: string, email = EMAIL) =>
  new Browser(workspace.server.url).logIn(email, password, via(address));
const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => make(index));
const statuses = (responses: { status: number }[]) => new Set(responses.map(({ status }) => status));
const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get(HEADERS.retryAfter));

describe('guessing', () => {
  it('from one address is limited to 10 passwords a minute, for logging in and changing one alike', async () => {
    const address = '198.51.100.1';
    const browser = new Browser(workspace.server.url);
    expect((await browser.logIn(EMAIL, PASSWORD, via(address))).status).toBe(200);
    const guesses = await Promise.all(times(9, () => logIn(address, WRONG)));
    expect(statuses(guesses)).not.toContain(200);
    const change = await browser.request('POST', '/session/password', {
      body: { current_password: PASSWORD, new_password: 'another password' },
      headers: via(address),
    });
    for (const refused of [await logIn(address, PASSWORD), change]) {
      expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers.get(HEADERS.rateLimitLimit)).toBe('10');
      expect(refused.headers.get(HEADERS.rateLimitRemaining)).toBe('0');
      expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
    }
    now = new Date(now.getTime() + 60_000);
    expect((await logIn(address, PASSWORD)).status).toBe(200);
  });

  it('from many addresses at once neither delays nor locks out the user, and is limited as well', async () => {
    let hashed = 0;
    const { promise: first, resolve: hashedOne } = Promise.withResolvers<void>();
    const guesses = times(60, async (index) => {
      // Every spelling of the address is the same user.
      const email = index % 2 === 0 ? EMAIL : ` ${EMAIL.toUpperCase()}`;
      const response = await logIn(`203.0.113.${index % 6}`, WRONG, email);
      if (response.status === 401) hashed += 1;
      if (response.status === 401) hashedOne();
      return response;
    });
    await first;
    const before = hashed;
    expect((await logIn('198.51.100.2', PASSWORD)).status).toBe(200);
    // One hash was running, and a slow machine may have begun another in the meantime. The queue holds sixteen.
    expect(hashed - before).toBeLessThanOrEqual(4);

    const responses = await Promise.all(guesses);
    expect(hashed).toBeGreaterThan(before);
    expect(hashed).toBeLessThan(30);
    const refused = responses.filter(({ status }) => status !== 401);
    expect(statuses(refused)).not.toContain(200);
    expect(refused.every((response) => retryAfter(response) >= 1)).toBe(true);

    // An address has three attempts of its own. After them it shares those of the user, which are used up.
    const others = '198.51.100.3';
    for (let attempt = 0; attempt < 3; attempt++) expect((await logIn(others, WRONG)).status).toBe(401);
    const fourth = await logIn(others, PASSWORD);
    expect([fourth.status, fourth.headers.get(HEADERS.rateLimitLimit)]).toEqual([429, '30']);
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    await Promise.all(times(10, (index) => logIn(`2001:db8:1:2::${index + 1}`, WRONG)));
    expect(retryAfter(await logIn('2001:db8:1:2:ffff::1', PASSWORD))).toBeGreaterThan(1);
    expect((await logIn('2001:db8:1:3::1', PASSWORD)).status).toBe(200);
  });
});
