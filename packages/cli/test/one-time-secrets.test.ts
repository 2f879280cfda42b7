import { type Endpoint, endpoints } from '@hubline/contract';
import { startTestServer } from '@hubline/server/testing';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../src/test/run-cli.ts';
import { testIo } from '../src/test/test-io.ts';
import { allCommands } from '../src/test/tree.ts';

type Line = readonly string[];

const KEY = /hl_[0-9A-Za-z]{36}/;
const LINK = /https?:\/\/\S+[?&]token=[\w-]{20,}/;
const SIGNING = /whsec_[\w+/=-]{20,}/;
const INGEST = /(?<![\w-])[\w-]{43}(?![\w-])/;

let env: Record<string, string>;
beforeAll(async () => {
  const server = await startTestServer({ env: { HUBLINE_CREDENTIAL_CHECK: 'skip' } });
  env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  return () => server.stop();
});

let count = 0;
const unique = (): string => `n${(count += 1)}`;

/** The ID of something that a command line makes. */
async function made(line: Line, field = 'id'): Promise<string> {
  const { code, out, err } = await runCli([...line, '--json'], { env });
  expect(code, `${line.join(' ')}\n${err}`).toBe(0);
  return String((JSON.parse(out) as Record<string, unknown>)[field]);
}

const hook = ['webhook', 'create', '--url=http://127.0.0.1:59999/hook', '--trigger=*', '--generate-secret'];
const newKey = () => made(['key', 'create', '--name=ci']);

/** For each command that shows a secret once: a line that makes it do so, and the form of the secret. */
const CASES: Readonly<Record<string, [line: () => Promise<Line> | Line, secret: RegExp]>> = {
  'apiKeys.create': [() => ['key', 'create', '--name=ci'], KEY],
  'personalApiKeys.create': [() => ['key', 'create', '--name=ci', '--personal'], KEY],
  'apiKeys.rotate': [async () => ['key', 'rotate', await newKey(), '--yes'], KEY],
  'members.invite': [() => ['member', 'invite', `${unique()}@acme.test`], LINK],
  'members.create': [() => ['member', 'invite', `${unique()}@acme.test`, '--variant'], LINK],
  'members.resendInvite': [
    async () => [
      'member',
      'resend-invite',
      await made(['member', 'invite', `${unique()}@acme.test`], 'user_id'),
    ],
    LINK,
  ],
  'integrations.connect': [() => ['integration', 'connect', 'custom'], INGEST],
  'integrations.create': [
    () => ['integration', 'create', '--provider=custom', '--credential=preset=github-style'],
    INGEST,
  ],
  'integrations.reconnect': [
    async () => {
      const unsigned = ['integration', 'connect', 'custom', '--credential=verification=none'];
      const id = await made(unsigned, 'integration_id');
      return ['integration', 'reconnect', id, '--credential=verification=hmac'];
    },
    INGEST,
  ],
  'webhooks.rotateSecret': [async () => ['webhook', 'rotate-secret', await made(hook), '--yes'], SIGNING],
  'webhook create --generate-secret': [() => hook, SIGNING],
  'member invite --file': [() => ['member', 'invite', '--file=-'], LINK],
  'member import': [() => ['member', 'import', '-'], LINK],
  'server bootstrap': [
    async () => {
      const data = join(await temporaryDirectory(), 'data');
      return ['server', 'bootstrap', `--data=${data}`, '--email=ana@acme.test'];
    },
    KEY,
  ],
};

/** Endpoints that show a secret once, which is not lost with the output: the link of an OAuth flow is for the browser that the command opens. */
const NOT_LOST = ['oauth.start'];

const ONE_TIME = Object.entries<Endpoint>(endpoints)
  .filter(([name, { secret }]) => secret === 'once' && !NOT_LOST.includes(name))
  .map(([name]) => name);

const FORMATS = [
  '',
  '-q',
  '-o id',
  '-o tsv',
  '-o csv',
  '-o table',
  '-o yaml',
  '-o json',
  '-o ndjson',
  '--jq .',
];
const cases = Object.entries(CASES).flatMap(([name, [line, secret]]) =>
  FORMATS.map((format) => [name, format, line, secret] as const),
);

/** The thing that has the lost secret: a member has a link, and a user a key. */
function lossOf(name: string): RegExp {
  if (name.startsWith('member')) return /^n\d+@acme\.test is invited, but the link may be lost/;
  if (name === 'server bootstrap')
    return /^A new key of usr_\w+ exists, but it may be lost .* revoke the lost one/;
  return /^(?:key|whk|int)_\w+ exists, but its secret may be lost/;
}

describe('a secret that is shown only once', () => {
  it('has a case for every endpoint that shows one', () => {
    expect(ONE_TIME.filter((name) => !(name in CASES))).toEqual([]);
  });

  it('is declared by every command that calls such an endpoint', async () => {
    // `seed` makes people who do not exist; nobody waits for their links, and member resend-invite gives others.
    const calling = (await allCommands()).filter(
      ({ path, endpoints: names = [] }) => path !== 'seed' && names.some((name) => ONE_TIME.includes(name)),
    );
    expect(calling.length).toBeGreaterThan(5);
    expect(
      calling.filter(({ view }) => (view.oneTimeSecrets ?? []).length === 0).map(({ path }) => path),
    ).toEqual([]);
  });

  it('has a cure in every command that makes one, for an output that breaks', async () => {
    const making = (await allCommands()).filter(({ view }) => (view.oneTimeSecrets ?? []).length > 0);
    expect(making.filter(({ ifLost }) => !ifLost).map(({ path }) => path)).toEqual([]);
  });

  it.each(cases)('of %s is on stdout with "%s"', async (_, format, makeLine, secret) => {
    const line = [...(await makeLine()), ...format.split(' ').filter(Boolean)];
    const { code, out, err } = await runCli(line, { env, stdin: `${unique()}@acme.test\n` });
    expect(code, err).toBe(0);
    expect(out).toMatch(secret);
  });

  it.each(Object.entries(CASES))(
    'of %s is shown on stderr where a template leaves it out; and if the output breaks, a command is named',
    async (name, [makeLine, secret]) => {
      const io = testIo({ stdin: `${unique()}@acme.test\n` });
      const { code, out, err } = await runCli([...(await makeLine()), '--template=done'], { env, io });
      expect({ code, out }).toEqual({ code: 0, out: 'done\n' });
      const told = err.split('\n').filter((line) => secret.test(line));
      expect(told).toEqual([
        expect.stringMatching(/^The output leaves out \S+ of \S+, which is shown only once: /),
      ]);
      expect(io.lost()).toEqual([
        expect.stringMatching(/ may be lost with this output\. [A-Z].*: hubline \w+ [\w-]+/),
      ]);
      expect(io.lost().join()).toMatch(lossOf(name));
      expect(io.lost().join()).not.toMatch(secret);
    },
  );

  it.each([
    [['--json=name'], 0],
    [['--jq=.name'], 0],
    [['--ndjson', '--json=name'], 0],
    [['-o', 'json', '--quiet', '--jq=empty'], 0],
    // The jq program fails only on the response, when the key exists already.
    [['--jq=error("no")'], 2],
  ])('is shown on stderr with %j', async (format, exit) => {
    const { code, out, err } = await runCli(['key', 'create', '--name=ci', ...format], { env });
    expect(code, err).toBe(exit);
    expect(out).not.toMatch(KEY);
    expect(err).toMatch(/^The output leaves out key of key_\w+, which is shown only once: hl_/m);
  });

  it.each(['--json=name,key', '--jq={k: .key}', '--template={{id}} {{key}}', '-o yaml'])(
    'is shown once if %s has it',
    async (format) => {
      const { err } = await runCli(['key', 'create', '--name=ci', ...format.split(/ (?=yaml)/)], { env });
      expect(err).not.toMatch(KEY);
    },
  );

  it('follows the ID with -q, and IDs are read without it', async () => {
    const { out } = await runCli([...hook, '-q'], { env });
    const [id = '', secret = '', ...more] = out.trimEnd().split('\t');
    expect({ id, more }).toEqual({ id: expect.stringMatching(/^whk_\w+$/) as string, more: [] });
    expect(secret).toMatch(SIGNING);
    expect((await runCli(['help', 'flags'])).out).toMatch(/-q, --quiet +Print IDs only, .*one-time secret/);
    expect(await runCli(['webhook', 'get', '-', '--json=id'], { env, stdin: out })).toMatchObject({
      code: 0,
      out: `{"id":"${id}"}\n`,
    });
  });

  it('is not in the way where there is none: -q prints the ID alone', async () => {
    const own = [...hook.slice(0, -1), '--secret-file=-', '-q'];
    expect((await runCli(own, { env, stdin: 'a secret of my own' })).out).toMatch(/^whk_\w+\n$/);
  });
});

describe('a rotation asks first, and says what becomes of the old secret', () => {
  it.each([
    [async () => ['key', 'rotate', await newKey()], 'stops working at once'],
    [async () => ['key', 'rotate', await newKey(), '--overlap=90m'], 'works for another 90m'],
    [async () => ['webhook', 'rotate-secret', await made(hook)], 'refuse calls from then on'],
    [
      async () => ['webhook', 'rotate-secret', await made(hook), '--overlap=24h'],
      'webhook-signature covers both for 1d',
    ],
  ])('%#: $1', async (makeLine, told) => {
    const line = await makeLine();
    const asked: string[] = [];
    const finished = await runCli(line, { env, tty: true, answers: [false], asked });
    expect({ code: finished.code, out: finished.out }).toEqual({ code: 2, out: '' });
    expect(asked.join()).toContain(told);
    expect(await runCli(line, { env })).toMatchObject({ code: 2, out: '' });
    expect(await runCli(line, { env, tty: true, answers: [true] })).toMatchObject({ code: 0 });
  });
});
