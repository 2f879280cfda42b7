import { startTestServer } from '@hubline/server/testing';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorResponse, fakeApi, WORKSPACE } from '../../test/fake-api.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCli } from '../../test/run-cli.ts';

const create = [
  'webhook',
  'create',
  '--url=https://x.test',
  '--trigger=user.invited',
  '--trigger=event.created',
  '--secret-file=-',
];
const update = ['webhook', 'update', 'whk_1'];

it.each([
  [
    create,
    { events: ['user.invited', 'event.created'], workspace_id: WORKSPACE, secret: 'a secret of ours' },
  ],
  [
    [...create, '--type=push', '--type=release', '--source=github'],
    { filters: { event_types: ['push', 'release'], sources: ['github'] } },
  ],
  [[...create, '--rate-limit=5'], { rate_limit: { per_second: 5 } }],
  [[...update, '--rate-limit=0'], { rate_limit: null }],
  [[...update, '--no-filters'], { filters: null }],
  [[...update, '--no-filters', '--source=github'], { filters: { sources: ['github'] } }],
  [[...update, '--trigger=*', '--resource=int_1'], { events: ['*'], filters: { resource_ids: ['int_1'] } }],
  [['webhook', 'disable', 'whk_1'], { status: 'disabled' }],
  [['webhook', 'rotate-secret', 'whk_1', '--overlap=24h', '--yes'], { overlap_seconds: 86_400 }],
])('%j sends %j', async (line, body) => {
  const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
  expect(await runCli([...line, '-q'], { env: api.env, stdin: 'a secret of ours\n' })).toEqual({
    code: 0,
    out: 'whk_1\n',
    err: '',
  });
  expect(api.received.at(-1)?.body).toMatchObject(body);
});

it('an update keeps the filters that it does not name', async () => {
  await using server = await startTestServer();
  const env = { HUBLINE_API_KEY: server.apiKey, HUBLINE_BASE_URL: server.baseUrl };
  const changed = async (...line: string[]): Promise<unknown> =>
    JSON.parse((await runCli([...line, '--json=filters'], { env, stdin: 'a secret of ours\n' })).out);
  const created = await runCli([...create, '--type=push', '--type=release', '-q'], {
    env,
    stdin: 'a secret of ours\n',
  });
  const change = ['webhook', 'update', created.out.trim()];
  expect(await changed(...change, '--source=github')).toEqual({
    filters: { event_types: ['push', 'release'], sources: ['github'] },
  });
  expect(await changed(...change, '--type=push')).toEqual({
    filters: { event_types: ['push'], sources: ['github'] },
  });
  expect(await changed(...change, '--no-filters', '--resource=int_1')).toEqual({
    filters: { resource_ids: ['int_1'] },
  });
});

it('asks on a terminal for all it needs, and makes a secret if there is none', async () => {
  const api = await fakeApi(({ method }) =>
    method === 'POST' ? { status: 201, body: { id: 'whk_1', url: 'https://x.test' } } : undefined,
  );
  const asked = (secret: string) =>
    runCli(['webhook', 'create', '--color=never'], {
      env: api.env,
      tty: true,
      answers: ['https://x.test', 'user.invited', secret],
    });
  expect((await asked('')).out).toMatch(/Its secret is shown only now:\n {2}secret {2}whsec_/);
  expect(await asked('mine')).toMatchObject({ code: 0, out: '✓ Created webhook whk_1 for https://x.test\n' });
  expect(api.received.map(({ body }) => body)).toMatchObject([
    { events: ['user.invited'], secret: expect.stringMatching(/^whsec_/) as string },
    { events: ['user.invited'], secret: 'mine' },
  ]);
});

it.each([
  [create, 'To have one made: --generate-secret.'],
  [
    ['webhook', 'rotate-secret', 'whk_1', '--secret-file=-', '--yes'],
    'To have one made: leave out --secret-file.',
  ],
])('warns of a secret that can be guessed, and takes it: %j', async (line, cure) => {
  const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
  const { code, err } = await runCli([...line, '-q'], { env: api.env, stdin: 'x' });
  expect(code).toBe(0);
  expect(err).toContain(
    `The secret has only 1 character: anyone who sees one call can guess it and forge others. Use at least 16. ${cure}`,
  );
  expect(api.received[0]?.body).toMatchObject({ secret: 'x' });
});

const base64 = (bytes: number): string => Buffer.alloc(bytes, 255).toString('base64');

it.each([
  ['whsec_!!!notbase64!!!', true],
  [`whsec_${base64(23)}`, true],
  [`whsec_${base64(65)}`, true],
  // The variant for URLs, and padding that is missing.
  [`whsec_${Buffer.alloc(32, 255).toString('base64url')}`, true],
  [`whsec_${base64(32).replace('=', '')}`, true],
  [`whsec_${base64(24)}`, false],
  [`whsec_${base64(64)}`, false],
  ['a-text-of-one’s-own', false],
])(
  'takes %s; warned that libraries of Standard Webhooks cannot verify its calls: %s',
  async (secret, warned) => {
    const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
    for (const line of [create, ['webhook', 'rotate-secret', 'whk_1', '--secret-file=-', '--yes']]) {
      const { code, err } = await runCli([...line, '-q'], { env: api.env, stdin: secret });
      expect({ code, warned: err.includes('libraries of Standard Webhooks cannot verify') }).toEqual({
        code: 0,
        warned,
      });
    }
    expect(api.received.map(({ body }) => body)).toMatchObject([{ secret }, { secret }]);
  },
);

it('parses an answer to a question as the value of its flag: a duration is a time', async () => {
  const api = await fakeApi(() => ({ body: { id: 'rec_1' } }));
  const line = ['webhook', 'recover', 'whk_1', '--yes'];
  const now = Date.parse('2026-06-15T12:00:00Z');
  const { code } = await runCli(line, { env: api.env, tty: true, answers: ['6h'], now });
  expect({ code, body: api.received[0]?.body }).toMatchObject({
    code: 0,
    body: { since: '2026-06-15T06:00:00.000Z' },
  });
});

it('an update that names one field sends that field only', async () => {
  const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
  await runCli([...update, '--description=mine'], { env: api.env });
  expect(api.received[0]?.body).toEqual({ description: 'mine' });
});

it.each([
  [
    update,
    'There is nothing to change. Add one of: --url, --trigger, --type, --source, --resource, --conditions, --no-filters, --rate-limit, --name, --description.',
  ],
  [[...create, '--conditions=-'], '--secret-file and --conditions cannot both read stdin.'],
  [[...create, '--trigger=push'], '--trigger takes *, event.created, automation.completed'],
])('%j is refused before anything is sent', async (line, message) => {
  const api = await fakeApi(() => ({ body: {} }));
  const { code, err } = await runCli(line, { env: api.env, stdin: 's' });
  expect({ code, requests: api.received.length }).toEqual({ code: 2, requests: 0 });
  expect(err.replaceAll('\n', ' ')).toContain(message);
});

describe('webhook ping', () => {
  async function setUp(status: number, urlOf = ({ url }: { url: string }) => url) {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const receiver = await startReceiver(() => status);
    const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
    const create = ['webhook', 'create', '--trigger=*', '--generate-secret', '--json=id', '--jq=.id'];
    const { out } = await runCli([...create, `--url=${urlOf(receiver)}/hook`], { env });
    const ping = (...more: string[]) => runCli(['webhook', 'ping', out.trim(), ...more], { env });
    const stats = () =>
      runCli(['webhook', 'stats', out.trim(), '--color=never'], { env, tty: true, columns: 100 });
    return { receiver, ping, stats };
  }

  it('tells what the receiver answered', async () => {
    const { receiver, ping } = await setUp(204);
    const { code, out, err } = await ping('--trigger=user.invited');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^✓ The receiver accepted the test call user\.invited: it responded with 204 in \d+ ms \(delivery dlv_\w+\)\n$/,
    );
    expect(receiver.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'user.invited',
    ]);
  });

  it('ends with 9 when that is not 2xx, and is not retried', async () => {
    const { receiver, ping } = await setUp(400);
    const { code, out, err } = await ping();
    expect(code).toBe(9);
    expect(out).toMatch(
      /^✗ The receiver did not accept the test call event\.created: it responded with 400 in \d+ ms \(delivery dlv_\w+\)\n$/,
    );
    // The output says why; the error is only the next step.
    expect(err).toMatch(/^See: hubline delivery attempts dlv_\w+\n$/);
    const json = await ping('--json=status');
    expect(JSON.parse(json.out)).toEqual({ status: 'failed' });
    expect(json.err).toContain(
      '"message":"The receiver did not accept the test call event.created: it responded with 400',
    );
    expect(receiver.calls).toHaveLength(2);
  });

  it('says why there was no response', async () => {
    const { ping } = await setUp(204, ({ url }) => url.replace('http:', 'https:'));
    const { code, out } = await ping();
    expect(code).toBe(9);
    expect(out).toMatch(
      /: no response after \d+ ms: the port does not speak TLS \(ERR_SSL_\w+\) \(delivery dlv_/,
    );
  });

  it('does not blame a receiver that still has time to respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const { ping } = await setUp(204, () => `http://127.0.0.1:${port}`);
    const { code, out } = await ping('--within=300ms');
    expect(code).toBe(9);
    expect(out).toMatch(
      /^✗ The test call event\.created has no outcome yet: the delivery is still pending \(delivery dlv_\w+\)\n$/,
    );
  });

  it('counts in the statistics of the webhook, by what the receiver said', async () => {
    const { ping, stats } = await setUp(503);
    await ping();
    const { code, out } = await stats();
    expect(code).toBe(0);
    expect(out).toMatch(/attempts\s+0 succeeded, 1 failed/);
    expect(out).toMatch(/queue\s+0 pending, 0 retrying, 0 held/);
    expect(out).toMatch(/^STATUS.*\n503 +- +1 .* seen\n$/m);
  });
});

it.each([
  ['must begin with https://', true],
  // No flag and no other command would change that.
  ['must not use port 3000; use 443 or a port from 1024 up', false],
])('a refused address of this machine comes with what to do instead: %s', async (issue, said) => {
  const api = await fakeApi(() => errorResponse(400, 'invalid_request', [{ field: 'url', issue }]));
  const line = ['webhook', 'create', '--url=http://localhost:3000/x', '--trigger=*', '--generate-secret'];
  const { code, err } = await runCli(line, { env: api.env });
  expect({ code, said: err.includes('hubline listen http://localhost:3000/x.') }).toEqual({ code: 6, said });
});
