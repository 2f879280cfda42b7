import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

const connected = { integration_id: 'int_1', provider: 'github', ingest: { url: 'https://x.test' } };
const provider = {
  provider: 'github',
  name: 'GitHub',
  required_credentials: ['domain', 'token'],
  optional_credentials: ['repository', 'webhook_secret'],
  methods: [
    {
      method: 'token',
      name: 'Access token',
      description: 'A token.',
      credentials: [
        { name: 'domain', description: 'The host.', required: true, secret: false },
        { name: 'token', description: 'The token.', required: true, secret: true },
        { name: 'repository', description: 'The source.', required: false, secret: false },
        { name: 'webhook_secret', description: 'Signs.', required: false, secret: true },
      ],
    },
  ],
};
const api = () =>
  fakeApi(({ method }) => (method === 'GET' ? pageResponse([provider]) : { status: 201, body: connected }));
const connect = ['integration', 'connect', 'github'];

describe('credentials', () => {
  it('come from files and stdin; what is not a secret may be typed', async () => {
    const server = await api();
    const file = join(await temporaryDirectory(), 'token');
    await writeFile(file, 'from-file\n');
    const line = [
      ...connect,
      `--credential=token=@${file}`,
      '--credential',
      'webhook_secret=-',
      '--credential=domain=acme.test',
    ];
    expect(await runCli(line, { env: server.env, stdin: 'from-stdin\n' })).toMatchObject({ code: 0 });
    expect(server.received[0]?.body).toMatchObject({
      credentials: { token: 'from-file', webhook_secret: 'from-stdin', domain: 'acme.test' },
    });
  });

  it.each([
    'token',
    'api_token',
    'bot_token',
    'api_key',
    'secret',
    'signing_secret',
    'webhook_secret',
    'webhook_url',
    'password',
    'notify_url',
  ])('%s is refused on the command line, and not repeated', async (name) => {
    const server = await api();
    const { code, err } = await runCli([...connect, `--credential=${name}=hunter2`], { env: server.env });
    expect({ code, requests: server.received }).toEqual({ code: 2, requests: [] });
    expect(err).toContain(`--credential ${name}=@file`);
    expect(err).not.toContain('hunter2');
  });

  it.each([
    ['--credential=hunter2', 'takes name=@file or name=-, or name=value for what is not a secret.'],
    ['--credential==hunter2', 'takes name=@file'],
    ['--credential=token=@/nonexistent', 'cannot be read'],
    ['--credential=token=-', 'is empty'],
  ])('%s is refused', async (flag, message) => {
    const { code, err } = await runCli([...connect, flag], { env: (await api()).env });
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain('hunter2');
  });

  it('cannot share stdin', async () => {
    const line = [...connect, '--credential=token=-', '--credential=secret=-'];
    const { code, err } = await runCli(line, { env: (await api()).env, stdin: 'x' });
    expect({ code, said: err.includes('cannot both read stdin') }).toEqual({ code: 2, said: true });
  });

  it('that are missing are asked for on a terminal', async () => {
    const server = await api();
    const sent = async (line: readonly string[], ...answers: (string | boolean)[]) => {
      expect(await runCli([...line], { env: server.env, tty: true, answers })).toMatchObject({ code: 0 });
      const body = server.received.at(-1)?.body as { credentials: unknown } | undefined;
      return body?.credentials;
    };
    const needed = { domain: 'acme.test', token: 'typed' };
    expect(await sent(connect, 'acme.test', 'typed', false)).toEqual(needed);
    // An empty answer leaves one out.
    expect(await sent(connect, 'acme.test', 'typed', true, 'acme/web', '')).toEqual({
      ...needed,
      repository: 'acme/web',
    });
    // If some are given, optional ones are not asked for.
    expect(await sent([...connect, '--credential=domain=acme.test'], 'typed')).toEqual(needed);
  });
});

describe('the secret of a webhook', () => {
  const create = ['webhook', 'create', '--url=https://x.test', '--trigger=*'];
  const webhooks = () =>
    fakeApi(({ body }) => ({ status: 201, body: { ...(body as object), id: 'whk_1', secret: undefined } }));

  it('is generated, sent and printed once', async () => {
    const server = await webhooks();
    const { out } = await runCli([...create, '--generate-secret', '--json=id,secret'], { env: server.env });
    const { secret } = JSON.parse(out) as { secret: string };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(server.received[0]?.body).toMatchObject({ secret, events: ['*'] });
  });

  it('that was given is sent without the line break after it, and not printed', async () => {
    const server = await webhooks();
    const { out, err } = await runCli([...create, '--secret-file=-'], {
      env: server.env,
      stdin: 'my secret\n',
    });
    expect(server.received[0]?.body).toMatchObject({ secret: 'my secret' });
    expect(out + err).not.toContain('my secret');
  });

  it.each([[[]], [['--generate-secret', '--secret-file=-']]])('needs one source, not %j', async (flags) => {
    expect(await runCli([...create, ...flags], { env: (await webhooks()).env, stdin: 'x' })).toMatchObject({
      code: 2,
      out: '',
    });
  });
});

describe('questions', () => {
  const answers = [true];

  it('are asked on a terminal only', async () => {
    const server = await fakeApi(() => ({ status: 204 }));
    const line = ['webhook', 'delete', 'whk_1'];
    expect(await runCli(line, { env: server.env, tty: true, answers })).toMatchObject({ code: 0 });
    for (const env of [{ CI: 'true' }, { HUBLINE_NO_INPUT: '1' }]) {
      expect(await runCli(line, { env: { ...server.env, ...env }, tty: true, answers })).toMatchObject({
        code: 2,
      });
    }
    expect(await runCli([...line, '--no-input'], { env: server.env, tty: true, answers })).toMatchObject({
      code: 2,
    });
    expect(await runCli([...line, '--yes'], { env: server.env })).toMatchObject({ code: 0 });
  });

  it('fill in required flags', async () => {
    const server = await fakeApi(({ body }) => ({ status: 201, body: { ...(body as object), id: 'ws_1' } }));
    const { out } = await runCli(['workspace', 'create'], {
      env: server.env,
      tty: true,
      answers: ['Acme', 'acme'],
    });
    expect(out).toContain('Created workspace acme');
  });

  it('about a change that cannot be undone need the name; --yes is not enough', async () => {
    const server = await fakeApi(({ method }) =>
      method === 'GET' ? { body: { id: 'ws_1', slug: 'acme' } } : { status: 204 },
    );
    const line = ['workspace', 'delete', '--color=never'];
    const deletions = () => server.received.filter(({ method }) => method === 'DELETE').length;
    expect(await runCli([...line, '--yes'], { env: server.env })).toMatchObject({ code: 2 });
    expect(await runCli([...line, '--confirm=other'], { env: server.env })).toMatchObject({ code: 2 });
    expect(await runCli(line, { env: server.env, tty: true, answers: ['acm'] })).toMatchObject({ code: 2 });
    expect(deletions()).toBe(0);
    expect(await runCli(line, { env: server.env, tty: true, answers: ['acme'] })).toMatchObject({ code: 0 });
    expect(await runCli([...line, '--confirm=acme'], { env: server.env })).toMatchObject({ code: 0 });
    expect(deletions()).toBe(2);
  });
});

it('ids come from stdin with -, one per line', async () => {
  const server = await fakeApi(({ path }) => ({ body: { id: path.split('/').at(-1) } }));
  const { out } = await runCli(['webhook', 'get', '-', '-q'], {
    env: server.env,
    stdin: ' whk_1 \n\nwhk_2\n',
  });
  expect(out).toBe('whk_1\nwhk_2\n');
});

it.each([
  ['webhook', 'get'],
  ['delivery', 'retry'],
  ['key', 'revoke'],
])('without an ID on stdin, %s %s does nothing, and that is no failure', async (noun, verb) => {
  let requests = 0;
  const api = await fakeApi(() => {
    requests += 1;
    return { body: {} };
  });
  const { code, out, err } = await runCli([noun, verb, '-', '--yes'], { env: api.env, stdin: '\n' });
  expect({ code, out, err, requests }).toEqual({
    code: 0,
    out: '',
    err: `There is no ${noun} on stdin, and nothing to do.\n`,
    requests: 0,
  });
});
