import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';

const PAGE = '<!doctype html><title>Hubline</title><script type="module" src="/assets/app-1a2b.js"></script>';
const SCRIPT = `// ${'x'.repeat(2_000)}`;
const HTML = { Accept: 'text/html,*/*;q=0.8' };

let folder: string;
let workspace: TestWorkspace & { stop(): Promise<void> };

beforeAll(async () => {
  folder = `${mkdtempSync(join(tmpdir(), 'hubline-dashboard-'))}/`;
  mkdirSync(`${folder}assets`);
  writeFileSync(`${folder}index.html`, PAGE);
  writeFileSync(`${folder}assets/app-1a2b.js`, SCRIPT);
  workspace = await startWorkspace({ dashboard: folder });
});
afterAll(async () => {
  await workspace.stop();
  rmSync(folder, { recursive: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${workspace.server.url}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the dashboard', () => {
  it.each(['/', '/events', '/w/acme/events/evt_1?type=push', '/settings/api-keys'])(
    'is what a browser sees at %s',
    async (path) => {
      const { status, headers, text } = await get(path, path === '/' ? {} : HTML);
      expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', PAGE]);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    },
  );

  it.each(['/docs', '/login', '/w/acme/events'])(
    'is also for a program that accepts any content type, at %s',
    async (path) => {
      expect(await get(path, { Accept: '*/*' })).toMatchObject({ status: 200, text: PAGE });
      expect(await get(path, { Accept: 'application/json' })).toMatchObject({ status: 404 });
    },
  );

  it('does not hide the endpoints of the server itself', async () => {
    expect((await get('/session', HTML)).status).toBe(403);
  });

  it('runs no script but its own, and is framed by nobody', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('is not served to programs at an unknown path, nor to anybody below /v1 and /assets', async () => {
    for (const [path, headers] of [
      ['/events', { Accept: 'application/json' }],
      ['/events', {}],
      ['/v1', HTML],
      ['/v1/nothing', HTML],
      ['/assets/old-9z9z.js', HTML],
    ] as const) {
      const { status, text } = await get(path, headers);
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
    }
    const posted = await fetch(`${workspace.server.url}/events`, { method: 'POST', headers: HTML });
    expect(posted.status).toBe(404);
    await posted.body?.cancel();
  });

  it('has files that browsers may cache forever, compressed, and a page that they revalidate', async () => {
    const script = await get('/assets/app-1a2b.js');
    expect([script.text, script.headers.get('content-type')]).toEqual([
      SCRIPT,
      'text/javascript; charset=utf-8',
    ]);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('gzip');
    const plain = await get('/assets/app-1a2b.js', { 'Accept-Encoding': 'identity' });
    expect([plain.text, plain.headers.get('content-encoding')]).toEqual([SCRIPT, null]);
    const page = await get('/');
    const again = await get('/', { 'If-None-Match': page.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await fetch(`${workspace.server.url}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each(['/../index.html', '/assets/../../package.json', '/%2e%2e/package.json', '//etc/passwd'])(
    'serves nothing from outside its folder: %s',
    async (path) => {
      // A client such as `fetch` would resolve the dots itself.
      const request = `GET ${path} HTTP/1.1\nHost: x\n\n`;
      const { responses } = await raw(workspace.server.url, request, { responses: 1 });
      expect(responses.map(({ status }) => status)).toEqual([400]);
    },
  );

  it('says how to build it if it has not been built', async () => {
    const empty = `${mkdtempSync(join(tmpdir(), 'hubline-unbuilt-'))}/`;
    const unbuilt = await startWorkspace({ dashboard: empty });
    const response = await fetch(unbuilt.server.url, { headers: HTML });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('pnpm@12 start')]);
    await unbuilt.stop();
    rmSync(empty, { recursive: true });
  });
});
