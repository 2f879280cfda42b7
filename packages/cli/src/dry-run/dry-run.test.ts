import { endpoints } from '@hubline/contract';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Keychain } from '../config/keychain.ts';
import type { Command } from '../spec/command.ts';
import { errorResponse, fakeApi, type Received, WORKSPACE } from '../test/fake-api.ts';
import { startReceiver } from '../test/receiver.ts';
import { realServer } from '../test/real-server.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { allCommands, minimalLine } from '../test/tree.ts';
import type { Step } from './steps.ts';

const commands = await allCommands();
const { cli: onServer } = await realServer();

/** Arguments that a command needs, in addition to its required ones, before it gets as far as a change. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'automation update': ['--name=x'],
  'event publish': ['--type=x'],
  'delivery retry': ['x'],
  'integration connect': ['--credential=token=-'],
  'integration reconnect': ['--credential=token=-'],
  'integration update': ['--channel=#x'],
  'invitation accept': ['--token-file=-'],
  'key update': ['--name=x'],
  'member invite': ['x@acme.test'],
  'provider configure': ['--client-secret-file=-'],
  'webhook create': ['--generate-secret'],
  'webhook update': ['--description=x'],
  'workspace update': ['--name=x'],
};

/** Whole command lines, where the shortest one is refused for its values. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'automation create': ['automation', 'create', '--file=-'],
  'automation apply': ['automation', 'apply', '--file=-'],
  'config set': ['config', 'set', 'timeout', '5s'],
  'config unset': ['config', 'unset', 'workspace'],
  'context create': ['context', 'create', 'new', '--base-url=https://hub.test/v1'],
  'context rename': ['context', 'rename', 'x', 'y'],
  'completion install': ['completion', 'install', 'bash'],
  'completion uninstall': ['completion', 'uninstall', 'bash'],
  'auth login': ['auth', 'login', '--with-key'],
  'auth logout': ['auth', 'logout', 'x'],
  'member import': ['member', 'import', '-'],
  open: ['open'],
  'provider define': ['provider', 'define', '--definition=-'],
  'provider redefine': ['provider', 'redefine', 'prv_x', '--definition=-'],
  'provider undefine': ['provider', 'undefine', 'prv_x'],
  'provider preview': ['provider', 'preview', `prv_${WORKSPACE.slice(3)}`, '--payload=-'],
  'rule create': ['rule', 'create', '--file=-'],
  'rule update': ['rule', 'update', 'x', '--disable'],
  'rule apply': ['rule', 'apply', '--file=-'],
  'template create': ['template', 'create', '--file=-'],
  'template update': ['template', 'update', 'x', '--file=-'],
  'template apply': ['template', 'apply', '--file=-'],
  trigger: ['trigger', 'push'],
  'workspace create': ['workspace', 'create', '--name=Acme', '--slug=acme'],
  'workspace use': ['workspace', 'use', 'acme'],
};

/** A little of everything: whatever a command looks up, it finds something. */
const anything = ({ method, path }: Received) =>
  method === 'GET'
    ? {
        body: {
          id: 'x',
          slug: 'acme',
          status: 'active',
          user: { id: 'usr_x', email: 'ana@acme.test' },
          key: { id: 'key_x', prefix: 'hl_x', expires_at: null },
          memberships: [{ workspace_id: 'ws_x', slug: 'acme' }],
          data: path.endsWith('/members') ? [{ user_id: 'usr_x', email: 'x@x.test', role: 'member' }] : [],
          pagination: { next_cursor: null, has_more: false },
          attempts: [],
          config: {},
        },
      }
    : { status: 204 };

/** Every file below a directory, with the attributes that a change would change. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = join(directory, name);
    const found = statSync(path);
    return `${name} ${found.mode} ${found.isFile() ? readFileSync(path, 'utf8') : ''}`;
  });
}

async function home() {
  const directory = await temporaryDirectory();
  const config = join(directory, 'config');
  await mkdir(config, { mode: 0o700 });
  const saved = {
    current: 'x',
    contexts: { x: { base_url: 'http://127.0.0.1:1/v1', workspace: 'acme', key_in: 'keychain' } },
  };
  await writeFile(join(config, 'config.json'), JSON.stringify(saved), { mode: 0o600 });
  const env = { HOME: directory, HUBLINE_CONFIG_DIR: config, HUBLINE_DATA: join(directory, 'data') };
  return { directory, env };
}

const automation =
  '{"name": "a", "trigger": {"event": "manual"}, "actions": [{"type": "wait", "seconds": 1}]}';
const rule =
  '{"name": "a", "notify_on": ["event.created"], "destinations": [{"kind": "in_app", "roles": ["owner"]}]}';
const template = '{"name": "a", "body": {"text": "a"}}';

/** Input of commands that read it. */
const STDIN: Readonly<Record<string, string>> = {
  'member import': 'email\nnew@acme.test\n',
  'automation create': automation,
  'automation apply': automation,
  'provider define':
    '{"provider": "acme", "name": "Acme", "verification": {"kind": "none"}, "event_type": {"from": ["header:X-Event"]}}',
  'provider redefine': '{"name": "Acme"}',
  'provider preview': '{}',
  'rule create': rule,
  'rule apply': rule,
  'template create': template,
  'template update': '{"name": "a"}',
  'template apply': template,
};

const writes = ({ endpoints: names = [] }: Command): boolean =>
  names.some((name) => endpoints[name].method !== 'GET');

describe('--dry-run', () => {
  it.each(commands.map((command) => [command.path, command] as const))(
    '%s changes nothing, neither on the server nor here',
    async (path, command) => {
      const { directory, env } = await home();
      const before = filesBelow(directory);
      const api = await fakeApi(anything);
      const touched: string[] = [];
      const keychain: Keychain = {
        get: async () => 'hl_saved',
        set: async () => void touched.push('set'),
        remove: async () => void touched.push('remove'),
      };
      const stop = AbortSignal.timeout(command.live ? 500 : 20_000);
      const line = [...(LINES[path] ?? minimalLine(command)), ...(MORE[path] ?? [])];
      const { code, out, err } = await runCli([...line, '--dry-run', '--json', '--no-input', '--retries=0'], {
        env: { ...api.env, ...env },
        cwd: directory,
        stdin: STDIN[path] ?? 'hl_test',
        keychain,
        signal: stop,
      });
      // People read what happens, not only the path of a request. Only `api` may send one that nobody knows.
      if (path !== 'api') expect(out).not.toMatch(/"what":"send (?:POST|PATCH|DELETE) /);
      // Tails continue until they are stopped.
      const broken = !stop.aborted && [1, 5, 6].includes(code);
      expect({ code, err, broken }).toMatchObject({ broken: false });
      expect(api.received.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect({ touched, files: filesBelow(directory) }).toEqual({ touched: [], files: before });
      const hasOwn = ['delivery retry', 'member import', 'seed'].includes(path);
      if (!writes(command) || hasOwn) return;
      const steps = JSON.parse(out) as Step[];
      expect({ code, methods: steps.map(({ method }) => method) }).toEqual({
        code: 0,
        methods: expect.arrayContaining([expect.stringMatching(/^(?:POST|PATCH|DELETE)$/)]) as string[],
      });
    },
  );

  it('says what would be sent, with its key, and without its secrets', async () => {
    const api = await fakeApi(anything);
    const line = ['webhook', 'create', '--url=https://acme.test/hook', '--trigger=*', '--secret-file=-'];
    const options = { env: api.env, stdin: 'a secret of ours' };
    const { code, out, err } = await runCli([...line, '--dry-run', '--idempotency-key=k1'], options);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^Not checked: permissions, .*\n$/),
    });
    expect(out).toMatch(/^Would register a webhook: POST \/webhooks\n {2}idempotency key k1\n {2}\{\n/);
    expect(out).toContain('"secret": "***"');
    const json = await runCli([...line, '--dry-run', '--idempotency-key=k1', '--json=id'], options);
    expect(JSON.parse(json.out)).toEqual([
      {
        what: 'register a webhook: POST /webhooks',
        method: 'POST',
        path: '/webhooks',
        idempotency_key: 'k1',
        body: {
          url: 'https://acme.test/hook',
          events: ['*'],
          workspace_id: api.env.HUBLINE_WORKSPACE,
          secret: '***',
        },
      },
    ]);
    const jq = await runCli([...line, '--dry-run', '--jq=.[].path'], options);
    expect(jq.out).toBe('/webhooks\n');
  });

  it('masks a key among credentials only', async () => {
    const api = await fakeApi(anything);
    const bodyOf = async (stdin: string, ...line: string[]) => {
      const { out } = await runCli([...line, '--dry-run', '--jq=.[0].body'], { env: api.env, stdin });
      return JSON.parse(out) as unknown;
    };
    const grouped = {
      ...(JSON.parse(rule) as object),
      dedupe: { key: '{{ event.type }}', window_seconds: 60 },
    };
    expect(await bodyOf(JSON.stringify(grouped), 'rule', 'create', '--file=-')).toEqual(grouped);
    expect(await bodyOf('k', 'integration', 'connect', 'custom', '--credential=key=-')).toMatchObject({
      credentials: { key: '***' },
    });
  });

  it('shows every request of a bulk command, and needs no confirmation', async () => {
    const api = await fakeApi(anything);
    const paths = async (...line: string[]) => {
      const { code, out } = await runCli([...line, '--dry-run', '--jq=.[].what'], { env: api.env });
      expect(code).toBe(0);
      return out.trimEnd().split('\n');
    };
    expect(await paths('key', 'revoke', 'key_1', 'key_2')).toEqual([
      expect.stringMatching(/^revoke an API key: DELETE .*\/key_1$/),
      expect.stringMatching(/^revoke an API key: DELETE .*\/key_2$/),
    ]);
    expect(await paths('trigger', 'push', '--times=3', '--rate=1/m')).toHaveLength(3);
  });

  it('shows the calls to a program on this machine, and makes none', async () => {
    const receiver = await startReceiver();
    const directory = await temporaryDirectory();
    const recording = join(directory, 'events.ndjson');
    const time = '2026-01-01T00:00:00.000Z';
    const call = { time, id: 'dlv_1', trigger: 'event.created', type: 'push', eventId: 'evt_1', body: '{}' };
    await writeFile(recording, `${JSON.stringify(call)}\n`.repeat(2));
    for (const line of [
      ['replay', recording],
      ['trigger', 'push', '--times=2'],
    ]) {
      const { code, out } = await runCli([...line, `--to=${receiver.url}`, '--dry-run', '-q']);
      expect({ code, out }).toEqual({ code: 0, out: `call ${receiver.url}/\n`.repeat(2) });
    }
    expect(receiver.calls).toEqual([]);
  });

  it('reads as usual, and says which file an export would write', async () => {
    const api = await fakeApi(anything);
    expect(await runCli(['member', 'list', '--dry-run', '--json=email'], { env: api.env })).toEqual({
      code: 0,
      out: '[{"email":"x@x.test"}]\n',
      err: '',
    });
    const { directory, env } = await home();
    const line = ['event', 'export', `--out=${join(directory, 'x.csv')}`, '--dry-run'];
    const { out } = await runCli(line, { env: { ...env, ...api.env } });
    expect(out).toBe(`Would write events into ${join(directory, 'x.csv')}\n`);
  });

  it('is refused by a command that has none', async () => {
    const { code, out, err } = await runCli(['listen', 'http://127.0.0.1:1', '--dry-run']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('hubline listen has no dry run.');
  });

  it('refuses what the real run would refuse', async () => {
    const api = await fakeApi(anything);
    const refused = await runCli(['workspace', 'delete', 'acme', '--dry-run', '--confirm=other'], api);
    expect(refused).toMatchObject({ code: 2, out: '' });
    const field = await runCli(['workspace', 'delete', 'acme', '--dry-run', '--json=nonsense'], api);
    expect(field).toMatchObject({ code: 2, out: '' });
    const long = `--name=${'x'.repeat(500)}`;
    const body = await runCli(
      ['webhook', 'create', '--url=x', '--trigger=*', '--generate-secret', long, '--dry-run'],
      api,
    );
    expect(body).toMatchObject({ code: 6, out: '', err: expect.stringContaining('Error: --name must') });
    const unknown = await runCli(['api', 'PATCH', '/webhooks/whk_1', '-f', 'nam=x', '--dry-run'], api);
    expect(unknown).toMatchObject({ code: 6, out: '', err: expect.stringContaining('did you mean name?') });
    expect(api.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('--dry-run finds what the server would refuse', () => {
  const missing = (prefix: string): string => `${prefix}_${WORKSPACE.slice(3)}`;

  it.each([
    ['rule', { ...(JSON.parse(rule) as object), template_id: missing('ntp') }],
    [
      'rule',
      { ...(JSON.parse(rule) as object), destinations: [{ kind: 'webhook', webhook_id: missing('whk') }] },
    ],
    ['rule', { ...(JSON.parse(rule) as object), conditions: { field: 'event.nope', op: 'eq', value: 1 } }],
    ['rule', { ...(JSON.parse(rule) as object), notify_on: ['user.invited'], types: ['push'] }],
    [
      'rule',
      {
        ...(JSON.parse(rule) as object),
        integration_ids: [missing('int')],
        dedupe: { key: '{{ event', window_seconds: 60 },
      },
    ],
    ['template', { name: 'a', subject: '{{ event.type | upcas }}', body: { text: '{% if %}' } }],
    [
      'automation',
      {
        ...(JSON.parse(automation) as object),
        trigger: { event: 'event.created', integration_ids: [missing('int')] },
      },
    ],
    [
      'automation',
      { ...(JSON.parse(automation) as object), trigger: { event: 'schedule', cron: '99 * * * *' } },
    ],
    [
      'automation',
      {
        ...(JSON.parse(automation) as object),
        actions: [{ type: 'call_webhook', url: 'https://{{ event.type }}.test/', headers: { host: 'x' } }],
      },
    ],
  ])('in a file: %s %j', async (noun, document) => {
    const real = await onServer([noun, 'create', '--file=-', '--json'], { stdin: JSON.stringify(document) });
    const dry = await onServer([noun, 'create', '--file=-', '--json', '--dry-run'], {
      stdin: JSON.stringify(document),
    });
    const parsed = [real, dry].map(({ code, err }) => {
      const { message, details } = (JSON.parse(err) as { error: { message: string; details: unknown } })
        .error;
      return { code, message, details };
    });
    expect(real.code).not.toBe(0);
    expect(parsed[1]).toEqual(parsed[0]);
  });

  it.each([
    ['webhook', 'delete', missing('whk')],
    ['webhook', 'update', missing('whk'), '--name=x'],
    ['rule', 'update', missing('nrl'), '--disable'],
    ['template', 'delete', missing('ntp')],
    ['automation', 'enable', missing('aut')],
    ['automation', 'cancel-run', missing('aut'), missing('run')],
    ['integration', 'disconnect', missing('int')],
    ['event', 'publish', '--type=x', `--integration=${missing('int')}`],
    ['webhook', 'delete', 'nonsense'],
    ['rule', 'create', '--file=-', `--workspace=${WORKSPACE}`],
  ])('by an ID: %j', async (...line) => {
    const options = { stdin: rule };
    const dry = await onServer([...line, '--dry-run', '--yes'], options);
    const real = await onServer([...line, '--yes'], options);
    const lines = (err: string): string => err.replace(/^ {2}request .*\n/m, '');
    expect({ ...dry, err: lines(dry.err) }).toEqual({ ...real, err: lines(real.err) });
    expect(dry.code).toBe(4);
  });

  it('a payload may name anything, and a key that cannot read may still write', async () => {
    const payload = JSON.stringify({
      integration_id: missing('int'),
      actions: [{ webhook_id: missing('whk') }],
    });
    const line = ['event', 'publish', '--type=x', `--payload=${payload}`, '--dry-run'];
    expect(await onServer(line)).toMatchObject({ code: 0 });
    const api = await fakeApi(() => errorResponse(403, 'forbidden'));
    expect(await runCli(line, { env: api.env })).toMatchObject({ code: 0 });
  });

  it('a wrong key, and several IDs of which one is unknown', async () => {
    const api = await fakeApi(() => errorResponse(401, 'unauthorized'));
    expect(await runCli(['webhook', 'delete', 'whk_1', '--dry-run'], { env: api.env })).toMatchObject({
      code: 3,
    });
    const some = await fakeApi(({ path }) => (path.endsWith('whk_2') ? undefined : { body: { id: 'x' } }));
    const line = ['webhook', 'delete', 'whk_1', 'whk_2', 'whk_3', '--dry-run'];
    const { code, out, err } = await runCli(line, { env: some.env });
    expect({ code, paths: out.match(/Would .*/g) }).toEqual({
      code: 10,
      paths: [
        'Would delete a webhook: DELETE /webhooks/whk_1',
        'Would delete a webhook: DELETE /webhooks/whk_3',
      ],
    });
    expect(err).toMatch(/^✗ whk_2: /);
  });
});
