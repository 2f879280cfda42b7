import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorResponse, fakeApi, pageResponse, WORKSPACE } from '../test/fake-api.ts';
import { realServer } from '../test/real-server.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { PATIENT, spawnCli } from '../../test/support/spawn-cli.ts';

const hub = await realServer();

const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ event_id: `evt_${from + index}` }));

describe('pages', () => {
  const pages = (total: number) =>
    fakeApi(({ query }) => {
      const from = Number(query['cursor'] ?? 0);
      const count = Math.min(Number(query['limit'] ?? 20), total - from);
      return pageResponse(events(from, count), from + count < total ? String(from + count) : null);
    });

  it.each([
    [[], 20, 1, true],
    [['--limit=5'], 5, 1, true],
    [['--limit=150'], 150, 2, true],
    [['--limit=250'], 250, 3, false],
    [['--all'], 250, 3, false],
  ])('%j gives %d of 250 with %d requests', async (flags, count, requests, cut) => {
    const api = await pages(250);
    const { out, err } = await runCli(['event', 'list', '-o', 'ndjson', ...flags], { env: api.env });
    expect({ count: out.split('\n').length - 1, requests: api.received.length }).toEqual({ count, requests });
    expect(err.includes('add --all')).toBe(cut);
  });

  it.each([
    ['event list --limit=0', '--limit'],
    ['workspace list -L 0 --all', '--limit'],
    ['event tail --limit=0', '--limit'],
    ['delivery tail --limit=0', '--limit'],
    ['audit tail --limit=0', '--limit'],
    ['notification tail --limit=0', '--limit'],
    ['listen 3000 --limit=0', '--limit'],
    ['listen 3000 --retry-speed=0', '--retry-speed'],
    ['trigger push --times=0', '--times'],
    ['seed --workspaces=0', '--workspaces'],
    ['template get ntp_1 --at-version=0', '--at-version'],
  ])('of nothing are refused before any request: %s', async (line, flag) => {
    const api = await pages(250);
    const refused = await runCli(line.split(' '), { env: api.env });
    expect(refused).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`${flag} takes a whole number from 1, such as 20; not "0".`) as string,
    });
    expect(api.received).toEqual([]);
  });

  it('make one document, whatever their number', async () => {
    const api = await pages(250);
    const { out } = await runCli(['event', 'list', '--all', '--json'], { env: api.env });
    expect(JSON.parse(out)).toHaveLength(250);
  });

  it('of hubline api are followed as well', async () => {
    const api = await pages(250);
    const { out } = await runCli(
      ['api', 'workspaces/{workspace}/events', '-f', 'type=push', '--all', '--json'],
      { env: api.env },
    );
    expect(JSON.parse(out)).toHaveLength(250);
    expect(api.received[0]).toMatchObject({
      path: `/workspaces/${WORKSPACE}/events`,
      query: { type: 'push' },
    });
  });
});

describe('the workspace', () => {
  const memberships = [
    { workspace_id: WORKSPACE, slug: 'acme', name: 'Acme', role: 'owner' },
    { workspace_id: 'ws_06f8xw2b3c4d5e6f7g8h9j0kmm', slug: 'other', name: 'Other', role: 'viewer' },
  ];
  const api = (seen = memberships) =>
    fakeApi(({ path }) => (path === '/me' ? { body: { memberships: seen } } : pageResponse([])));

  it('named by slug is found among the memberships', async () => {
    const server = await api();
    await runCli(['member', 'list', '-w', 'other'], { env: server.env });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/me',
      `/workspaces/${memberships[1]?.workspace_id}/members`,
    ]);
  });

  it('that is the only one needs no name', async () => {
    const server = await api(memberships.slice(0, 1));
    const { code } = await runCli(['member', 'list'], { env: { ...server.env, HUBLINE_WORKSPACE: '' } });
    expect({ code, path: server.received[1]?.path }).toEqual({
      code: 0,
      path: `/workspaces/${WORKSPACE}/members`,
    });
  });

  it('has to be named when there are several', async () => {
    const server = await api();
    const { code, err } = await runCli(['member', 'list'], { env: { ...server.env, HUBLINE_WORKSPACE: '' } });
    expect({ code, names: err.includes('acme, other') }).toEqual({ code: 2, names: true });
  });

  it('that the key cannot see ends with exit code 4', async () => {
    const server = await api();
    expect(await runCli(['member', 'list', '-w', 'nope'], { env: server.env })).toMatchObject({
      code: 4,
      out: '',
    });
  });
});

describe('requests', () => {
  it('carry the idempotency key of the command line, for one write', async () => {
    const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
    await runCli(['webhook', 'enable', 'whk_1', '--idempotency-key=once'], { env: api.env });
    expect(api.received[0]?.headers['idempotency-key']).toBe('once');
  });

  it.each([
    ['IDs', ['delivery', 'retry', 'a', 'b'], ''],
    ['deliveries that match', ['delivery', 'retry', '--status=failed', '-y'], ''],
    ['addresses in a file', ['member', 'invite', '--file=-'], 'email\na@x.test\nb@x.test'],
    ['members in a file', ['member', 'import', '-'], 'email\na@x.test\nb@x.test'],
    ['documents', ['rule', 'apply', '-f', '-'], 'name: A\n---\nname: B'],
    ['events', ['trigger', 'push', '--times=2'], ''],
  ])('refuse one idempotency key for several %s', async (_what, line, stdin) => {
    const page = {
      data: ['a', 'b'].map((id) => ({ id, email: `${id}@known.test`, created_at: '2026-11-02T11:45:09Z' })),
      pagination: { has_more: false },
    };
    const api = await fakeApi(({ method }) => ({ body: method === 'GET' ? page : { id: 'x' } }));
    const { code, err } = await runCli([...line, '--idempotency-key=once'], { env: api.env, stdin });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('--idempotency-key names one write, not several.'),
    });
    expect(api.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(['a b', 'clé', '', 'x'.repeat(256)])('are not sent with the idempotency key %j', async (key) => {
    const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
    const { code, err } = await runCli(['webhook', 'enable', 'whk_1', `--idempotency-key=${key}`], api);
    expect({ code, err }).toEqual({
      code: 2,
      err: `Error: --idempotency-key takes 1 to 255 visible ASCII characters; not "${key}".\nSee: hubline webhook enable --help\n`,
    });
    expect(api.received).toEqual([]);
  });

  it.each([
    [{ text: '<html>', headers: { 'content-type': 'text/html' } }, 'check --base-url and the proxies'],
    [{ status: 502, text: '<html>' }, 'check --base-url and the proxies'],
    [
      { status: 429, text: '', headers: { 'retry-after': '30' } },
      'Wait 30 seconds, or raise --retries or --max-wait.',
    ],
    [{ status: 302, text: '', headers: { location: 'https://other.test/' } }, 'check --base-url'],
  ])(
    'whose response is %j end with an error that names flags, not options of the SDK',
    async (response, told) => {
      const api = await fakeApi(() => response);
      const { err } = await runCli(['whoami', '--retries=0', '--max-wait=1s'], api);
      expect(err).toContain(told);
      expect(err).not.toMatch(/baseURL|maxRetr|retryAfter/);
    },
  );

  it.each([
    [
      ['key', 'create', '--name=x', '--expires=90d'],
      '--expires 90d means a different time in each run',
      'Give --expires a fixed time',
    ],
    [
      ['event', 'publish', '--type=x', '--occurred-at=5m'],
      '--occurred-at 5m means a different time in each run',
      'Give --occurred-at a fixed time',
    ],
    [
      ['webhook', 'recover', 'whk_1', '--since=6h', '-y'],
      '--since 6h means a different time in each run',
      'Give --since a fixed time',
    ],
    [
      ['webhook', 'create', '--url=https://x.test', '--trigger=*', '--generate-secret'],
      'A generated secret is different in each run',
      'Then give --secret-file .hook-secret.',
    ],
  ])('refuse an idempotency key for %j, which is never the same request twice', async (line, told, cure) => {
    const api = await fakeApi(() => ({ status: 201, body: { id: 'x' } }));
    const { code, err } = await runCli([...line, '--idempotency-key=once'], api);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(told) });
    expect(err).toContain('so --idempotency-key could not recognize a retry.');
    expect(err).toContain(cure);
    expect(api.received).toEqual([]);
  });

  it('refuse a duration at a prompt, too, with an idempotency key', async () => {
    const api = await fakeApi(() => ({ status: 202, body: { id: 'rec_1' } }));
    const line = ['webhook', 'recover', 'whk_1', '-y', '--idempotency-key=once'];
    const { err } = await runCli(line, { ...api, tty: true, answers: ['6h'] });
    expect(err).toContain('--since 6h means a different time in each run');
    expect(err).toContain('Give --since a fixed time');
    expect(api.received).toEqual([]);
    const { code } = await runCli(line, { ...api, tty: true, answers: ['2026-01-31'] });
    expect({ code, requests: api.received.length }).toEqual({ code: 0, requests: 1 });
  });

  it('may be repeated with an idempotency key where they say the same', async () => {
    const again = ['--idempotency-key=once', '--json=id'];
    const { cli } = hub;
    const secret = join(await temporaryDirectory(), 'secret');
    await writeFile(secret, 'whsec_4Uo2Z0tWc7mSCqP3bqj2L6pDq8uQJp1yq3y7lJYwqkE=');
    for (const line of [
      ['key', 'create', '--name=x', '--expires=2099-12-31', ...again],
      [
        'event',
        'publish',
        '--type=x',
        '--occurred-at=2026-01-31',
        '--idempotency-key=two',
        '--json=event_id',
      ],
      [
        'webhook',
        'create',
        '--url=https://x.test',
        '--trigger=*',
        `--secret-file=${secret}`,
        '--idempotency-key=three',
        '--json=id',
      ],
    ]) {
      const first = await cli(line);
      expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/_/) });
      expect((await cli(line)).out).toBe(first.out);
    }
  });

  it('are shown with --verbose, without secrets', async () => {
    const api = await fakeApi(() => ({ status: 201, body: { id: 'whk_1', url: 'https://x.test' } }));
    const line = ['webhook', 'create', '--url=https://x.test', '--trigger=*', '--secret-file=-', '-v'];
    const { err } = await runCli(line, {
      env: { ...api.env, HUBLINE_API_KEY: 'hl_hidden' },
      stdin: 'hunter2hunter2hunter2',
    });
    expect(err).toMatch(/^> POST \/v1\/webhooks\n< 201 req_test \d+ ms\n/);
    expect(err).not.toMatch(/hl_hidden|hunter2/);
  });

  it('leave the ID of the last one in the file of --request-id-file, even when they fail', async () => {
    const file = join(await temporaryDirectory(), 'id');
    const api = await fakeApi(() => ({
      ...errorResponse(409, 'conflict'),
      headers: { 'x-request-id': 'req_9' },
    }));
    expect(await runCli(['whoami', `--request-id-file=${file}`], { env: api.env })).toMatchObject({
      code: 5,
    });
    expect(await readFile(file, 'utf8')).toBe('req_9\n');
    const line = ['webhook', 'enable', 'whk_1', `--request-id-file=${file}/nowhere`];
    const { code, err } = await runCli(line, { env: api.env });
    expect({ code, said: err.includes(`--request-id-file ${file}/nowhere cannot be written`) }).toEqual({
      code: 2,
      said: true,
    });
    expect(api.received).toHaveLength(1);
  });

  it.runIf(process.platform !== 'win32')(
    'leave the ID behind what a shell has written, if --request-id-file names an open file',
    async () => {
      const api = await fakeApi(() => ({
        ...pageResponse([]),
        headers: { 'x-request-id': 'req_9' },
      }));
      const file = join(await temporaryDirectory(), 'log');
      await writeFile(file, 'kept\n');
      const within = ['sh', '-c', 'exec "$@" 3>> "$0"', file];
      const line = ['workspace', 'list', '--request-id-file=/dev/fd/3'];
      expect(await spawnCli(line, api.env, { within }).ended).toMatchObject({ code: 0 });
      expect(await readFile(file, 'utf8')).toBe('kept\nreq_9\n');

      const readOnly = ['sh', '-c', 'exec "$@" 3< "$0"', file];
      const { code, err } = await spawnCli(line, api.env, { within: readOnly }).ended;
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining('/dev/fd/3 cannot be written'),
      });
      expect(api.received).toHaveLength(1);
    },
    PATIENT.timeout,
  );

  it('are tried again, and the wait is explained on a terminal', async () => {
    let failures = 1;
    const api = await fakeApi(() =>
      failures-- > 0 ? errorResponse(503, 'service_unavailable') : pageResponse([]),
    );
    const { code, err } = await runCli(['member', 'list'], { env: api.env, tty: true });
    expect({ code, requests: api.received.length }).toEqual({ code: 0, requests: 2 });
    expect(err.replaceAll(/\s+/g, ' ')).toMatch(/members failed\. Trying again in \d+\.\d s/);
  });

  it('encode the parts of a path, and have no slash in an ID', async () => {
    const api = await fakeApi(() => undefined);
    await runCli(['webhook', 'get', '..me?x=1'], { env: api.env });
    const { code, err } = await runCli(['webhook', 'get', '../me'], { env: api.env });
    expect(code).toBe(2);
    expect(err).toContain('/webhooks/{id} needs valid IDs without a slash; got "../me".');
    expect(api.received.map(({ path }) => path)).toEqual(['/webhooks/..me%3Fx%3D1']);
  });

  it('name the command line tool', async () => {
    const api = await fakeApi(() => pageResponse([]));
    await runCli(['member', 'list'], { env: api.env });
    expect(api.received[0]?.headers['user-agent']).toMatch(/^hubline-cli\/\d/);
  });
});

describe('hubline api', () => {
  it.each([
    [['api', 'me'], 'GET', '/me', undefined],
    [['api', '/me'], 'GET', '/me', undefined],
    [['api', 'DELETE', 'webhooks/whk_1'], 'DELETE', '/webhooks/whk_1', undefined],
    [
      ['api', '-X', 'patch', 'webhooks/whk_1', '-f', 'url=https://x.test', '-F', 'events=["*"]'],
      'PATCH',
      '/webhooks/whk_1',
      { url: 'https://x.test', events: ['*'] },
    ],
    [
      ['api', 'POST', 'events', '-F', 'n=1', '-F', 'on=true', '-F', 't=text', '-F', 'f=-'],
      'POST',
      '/events',
      { n: 1, on: true, t: 'text', f: 'piped' },
    ],
    [['api', 'webhooks', '--input=-'], 'POST', '/webhooks', 'piped'],
  ])('%j is %s %s', async (line, method, path, body) => {
    const api = await fakeApi(() => ({ body: { ok: true } }));
    const stdin = line.includes('--input=-') ? '"piped"' : 'piped';
    expect(await runCli([...line, '--json'], { env: api.env, stdin })).toEqual({
      code: 0,
      out: '{"ok":true}\n',
      err: '',
    });
    expect(api.received[0]).toMatchObject({ method, path, ...(body !== undefined && { body }) });
  });

  it.each([
    [false, '{"id":"x","tags":["a"]}\n'],
    [true, '{\n  "id": "x",\n  "tags": [\n    "a"\n  ]\n}\n'],
  ])('prints the response as JSON, on a terminal (%s) as well', async (tty, text) => {
    const api = await fakeApi(() => ({ body: { id: 'x', tags: ['a'] } }));
    const { out } = await runCli(['api', 'webhooks/x'], { env: api.env, tty });
    expect(out).toBe(text);
  });

  it('prints the items of --all as one list', async () => {
    const api = await fakeApi(() => pageResponse([{ id: 'x' }, { id: 'y' }]));
    expect((await runCli(['api', 'webhooks', '--all'], { env: api.env })).out).toBe(
      '[{"id":"x"},\n{"id":"y"}]\n',
    );
  });

  it('prints status and headers with -i', async () => {
    const api = await fakeApi(() => ({ status: 201, body: { id: 'x' } }));
    const { out } = await runCli(['api', 'POST', 'webhooks', '-i'], { env: api.env });
    expect(JSON.parse(out)).toMatchObject({
      status: 201,
      headers: { 'x-request-id': 'req_test' },
      body: { id: 'x' },
    });
  });

  it.each([
    [['api', 'BREW', 'coffee'], 'There is no method "BREW".'],
    [['api', 'me', '-f', 'novalue'], 'A field is name=value'],
    [['api', 'me', '--header', 'Authorization: Bearer x'], '--header cannot set Authorization'],
    [['api', 'me', '--input', '-', '-X', 'GET'], '--input is the whole body'],
    [['api', 'POST', 'x', '--input', '-'], '--input is not JSON'],
    [['api', 'POST', 'x', '--all'], '--all is for lists'],
    [['api', 'POST', 'x', '-F', 'a=-', '-F', 'a=-'], '-F a and -F a cannot both read stdin.'],
  ])('refuses %j', async (line, message) => {
    const api = await fakeApi(() => ({ body: {} }));
    const { code, err } = await runCli(line, { env: api.env });
    expect({ code, requests: api.received.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(message);
  });
});

describe('SSL_CERT_FILE', () => {
  const run = (url: string) =>
    runCli(['whoami', '--retries=0', `--base-url=${url}`], {
      env: { HUBLINE_API_KEY: 'hl_test', SSL_CERT_FILE: '/nonexistent/ca.pem' },
    });

  it('is read for HTTPS, and has to be there', async () => {
    const { code, err } = await run('https://127.0.0.1:1/v1');
    expect({
      code,
      told: err.startsWith(
        'Error: /nonexistent/ca.pem of SSL_CERT_FILE cannot be read: there is no such file',
      ),
    }).toEqual({
      code: 2,
      told: true,
    });
    expect(await run('http://127.0.0.1:1/v1')).toMatchObject({ code: 7 });
  });
});
