import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorResponse, fakeApi, pageResponse } from '../../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

const KEY = 'hl_012345678901234567890123456789abcdef';

async function setUp() {
  let count = 0;
  const api = await fakeApi(({ method, path, query }) => {
    if (path === '/gone') return errorResponse(404, 'not_found');
    if (path === '/list') return pageResponse([(count += 1)], query['cursor'] ? null : 'next');
    return { body: { method, count: (count += 1) }, headers: { 'x-count': String(count) } };
  });
  const cache = await temporaryDirectory();
  const folder = join(cache, 'responses');
  const call = async (line: readonly string[], { now = 0, ...more }: { now?: number; key?: string } = {}) => {
    const { key = KEY } = more;
    const { code, out, err } = await runCli(['api', ...line], {
      env: { ...api.env, HUBLINE_API_KEY: key },
      cache,
      now: Date.parse('2026-01-01T00:00:00Z') + now * 1_000,
    });
    return { code, out: out === '' ? undefined : (JSON.parse(out) as Record<string, unknown>), err };
  };
  return { api, call, folder };
}

describe('api --cache', () => {
  it('answers from a fresh response, and asks again when it is stale', async () => {
    const { api, call } = await setUp();
    expect((await call(['me', '--cache=60s'])).out).toMatchObject({ count: 1 });
    expect((await call(['me', '--cache=60s'], { now: 59 })).out).toMatchObject({ count: 1 });
    expect((await call(['me', '--cache=10s'], { now: 10 })).out).toMatchObject({ count: 2 });
    expect((await call(['me', '--cache=60s'], { now: 69 })).out).toMatchObject({ count: 2 });
    expect((await call(['me'], { now: 69 })).out).toMatchObject({ count: 3 });
    expect(api.received).toHaveLength(3);
  });

  it('keeps responses apart by server, key, path, query and headers', async () => {
    const { call } = await setUp();
    const lines = [
      ['me', '--cache=1h'],
      ['me', '--cache=1h', '-f', 'a=b'],
      ['me', '--cache=1h', '-H', 'X-Error-Format: flat'],
      ['you', '--cache=1h'],
    ];
    const counts = [];
    for (const line of lines) counts.push((await call(line)).out?.['count']);
    counts.push((await call(['me', '--cache=1h'], { key: 'hl_other' })).out?.['count']);
    const other = await setUp();
    counts.push((await other.call(['me', '--cache=1h'])).out?.['count']);
    expect(counts).toEqual([1, 2, 3, 4, 5, 1]);
  });

  it('works with --include and --all', async () => {
    const { api, call } = await setUp();
    const first = await call(['me', '--cache=1m', '--include']);
    expect(first.out).toMatchObject({ status: 200, headers: { 'x-count': '1' }, body: { count: 1 } });
    expect(await call(['me', '--cache=1m', '--include'])).toEqual(first);
    const all = await call(['list', '--cache=1m', '--all']);
    expect(await call(['list', '--cache=1m', '--all'])).toEqual(all);
    expect(api.received).toHaveLength(3);
  });

  it('is refused for writes, and keeps no errors', async () => {
    const { api, call, folder } = await setUp();
    const refused = await call(['POST', '/webhooks', '--cache=1m', '-f', 'a=b']);
    expect(refused).toMatchObject({ code: 2, out: undefined });
    expect(refused.err).toContain('--cache is for GET');
    expect(await call(['gone', '--cache=1m'])).toMatchObject({ code: 4 });
    expect(api.received).toHaveLength(1);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  it('is readable only by its user, holds no key, and removes old responses', async () => {
    const { call, folder } = await setUp();
    await call(['me', '--cache=1m']);
    const [file = '', ...more] = readdirSync(folder).map((name) => join(folder, name));
    expect(more).toEqual([]);
    if (process.platform !== 'win32') {
      expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    }
    expect(file + readFileSync(file, 'utf8')).not.toContain(KEY);
    await call(['you', '--cache=1h'], { now: 59 });
    expect(readdirSync(folder)).toHaveLength(2);
    await call(['they', '--cache=1h'], { now: 61 });
    expect(readdirSync(folder)).toHaveLength(2);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('is refused where there is no directory for it', async () => {
    const { code, err } = await runCli(['api', 'me', '--cache=1m']);
    expect({ code, told: err.includes('Set HOME or XDG_CACHE_HOME') }).toEqual({ code: 2, told: true });
  });

  it('asks again where the file is damaged', async () => {
    const { call, folder } = await setUp();
    await call(['me', '--cache=1h']);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"stored');
    expect(await call(['me', '--cache=1h'])).toMatchObject({ code: 0, out: { count: 2 } });
  });
});
