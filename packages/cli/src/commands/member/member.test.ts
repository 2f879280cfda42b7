import { startTestServer } from '@hubline/server/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

let env: Record<string, string>;
beforeEach(async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
});

const FILE = `Name,Email,Role
"Li, Wei",li@acme.test,admin
Sam,SAM@acme.test,
Nobody,not an address,member
Ana,owner@example.com,member
Eve,eve@acme.test,emperor
Li again,li@acme.test,
`;

const cli = (line: string[], stdin = '', tty = false) => runCli(line, { env, stdin, tty });
const emails = async () =>
  (await cli(['member', 'list', '--all', '--jq=.[] | "\\(.email) \\(.role)"'])).out
    .trimEnd()
    .split('\n')
    .toSorted();

describe('member invite --file', () => {
  it('invites everybody it can, reports each line, and ends with exit code 10', async () => {
    const { code, out } = await cli(
      ['member', 'invite', '-F', '-', '--ndjson', '--json=line,email,status,role'],
      FILE,
    );
    expect(code).toBe(10);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { line: 2, email: 'li@acme.test', status: 'invited', role: 'admin' },
      // The file names no role: the role that the server gave is shown.
      { line: 3, email: 'sam@acme.test', status: 'invited', role: 'member' },
      { line: 4, email: 'not an address', status: 'invalid', role: 'member' },
      { line: 5, email: 'owner@example.com', status: 'already a member', role: 'member' },
      { line: 6, email: 'eve@acme.test', status: 'invalid', role: null },
      { line: 7, email: 'li@acme.test', status: 'invalid', role: null },
    ]);
    expect(await emails()).toEqual(['li@acme.test admin', 'owner@example.com owner', 'sam@acme.test member']);
  });

  it('only checks with --dry-run', async () => {
    const { out, err } = await cli(['member', 'invite', '--file=-', '--dry-run'], FILE);
    expect(out).toContain('line 4: "not an address" is not an email address');
    expect(err).toContain('2 to invite, 1 already a member, 3 bad rows (lines 4, 6, 7)');
    expect(await emails()).toHaveLength(1);
  });

  it('finds with --dry-run every address that the server would refuse', async () => {
    const refused = [
      'li@localhost',
      'li@acme.test;member',
      'jürgen@acme.test',
      `${'x'.repeat(250)}@acme.test`,
    ];
    const file = [...refused, 'li@münchen.test'].join('\n');
    const line = ['member', 'invite', '--file=-', '--ndjson', '--json=email,status'];
    const { out } = await cli([...line, '--dry-run'], file);
    const statuses = out
      .trimEnd()
      .split('\n')
      .map((each) => (JSON.parse(each) as { status: string }).status);
    expect(statuses).toEqual(['invalid', 'invalid', 'invalid', 'invalid', 'to invite']);
    await cli(line, file);
    expect(await emails()).toEqual(['li@xn--mnchen-3ya.test member', 'owner@example.com owner']);
  });

  it('reads the semicolons that spreadsheets write in many countries', async () => {
    const { code, err } = await cli(
      ['member', 'invite', '--file=-'],
      'Name;Email;Role\n"Li, Wei";li@acme.test;admin\n',
    );
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(await emails()).toContain('li@acme.test admin');
  });

  it('shows a bar on a terminal, which is gone at the end', async () => {
    const { code, err } = await cli(['member', 'invite', '--file=-'], 'a@acme.test\nb@acme.test\n', true);
    expect(code).toBe(0);
    expect(err).toContain('Working [');
    expect(err.split('\r').at(-1)).toBe('\u001b[2K2 invited\n');
  });

  it('prints the IDs of the users with -q, and nothing for lines that have none', async () => {
    const planned = await cli(['member', 'invite', '--file=-', '--dry-run', '-q'], FILE);
    const { out } = await cli(['member', 'invite', '--file=-', '-q'], FILE);
    // The owner is a member already.
    expect(planned.out).toMatch(/^usr_\w+\n$/);
    expect(out).toMatch(/^(?:usr_\w+(?:\thttp\S+)?\n){3}$/);
  });

  it.each([
    [['member', 'invite'], '', 'No address was given.'],
    [['member', 'invite', 'a@acme.test', '--file=-'], 'b@acme.test', 'Give either addresses or --file.'],
    [['member', 'invite', '--file=-'], '', 'contains no addresses'],
    [['member', 'invite', '--file=-'], 'email\n"a', 'is not CSV'],
    [['member', 'invite', '--file=/nonexistent'], '', '--file /nonexistent cannot be read'],
  ])('%j is refused', async (line, stdin, message) => {
    const { code, out, err } = await cli(line, stdin);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

it.each([[], ['--variant']])(
  'member invite -q prints the ID of the user, and the link: %j',
  async (...flags) => {
    const { out } = await cli(['member', 'invite', 'quiet@acme.test', '-q', ...flags]);
    const listed = await cli(['member', 'list', '--jq=.[] | select(.email == "quiet@acme.test") | .user_id']);
    expect(out).toMatch(new RegExp(`^${listed.out.trim()}(\\t\\S+)?\n$`));
    expect(listed.out).toMatch(/^usr_/);
  },
);

it.each([['sam@acme.test'], ['sam@acme.test', 'li@acme.test']])(
  'an open invitation is refused with the member, and the command that sends it again: %j',
  async (...people) => {
    await cli(['member', 'invite', 'sam@acme.test']);
    const { err } = await cli(['member', 'invite', ...people]);
    expect(err).toMatch(/^(?:Error:|✗) sam@acme\.test has an open invitation; resend it instead\.\n/);
    expect(err).toContain('Send another link: hubline member resend-invite sam@acme.test\n');
  },
);

it('an address in a command is one word for a shell', async () => {
  await cli(['member', 'invite', 'sam`id`|sh@acme.test']);
  const { err } = await cli(['member', 'invite', 'sam`id`|sh@acme.test']);
  expect(err).toContain("hubline member resend-invite 'sam`id`|sh@acme.test'\n");
});

it('an address in a command is no flag', async () => {
  await cli(['member', 'invite', '--', '-x@acme.test']);
  const { err } = await cli(['member', 'invite', '--', '-x@acme.test']);
  expect(err).toContain('hubline member resend-invite -- -x@acme.test\n');
  expect(await cli(['member', 'resend-invite', '--', '-x@acme.test'])).toMatchObject({ code: 0 });
});

it('an address is the same person however its domain is written', async () => {
  await cli(['member', 'invite', 'li@Bücher.test', '--role=member']);
  expect(await emails()).toContain('li@xn--bcher-kva.test member');
  const line = ['member', 'import', '-', '--prune', '--ndjson', '--json=email,change', '--diff'];
  const file = '{"email":"Li@bücher.test","role":"member"}\n';
  expect(await cli(line, file)).toMatchObject({ code: 0, out: '' });
  expect((await cli(['member', 'update', 'li@BÜCHER.test', '--role=viewer'])).code).toBe(0);
  expect(await emails()).toContain('li@xn--bcher-kva.test viewer');
});

it('member import and invite --file repeat only the beginning of a line that is no address', async () => {
  const people = `email,role\n${'x y '.repeat(5_000)},member\nli@acme.test,${'z '.repeat(5_000)}\n`;
  for (const line of [
    ['member', 'import', '-', '--diff'],
    ['member', 'invite', '--file=-', '--dry-run'],
  ]) {
    const { out, err } = await cli(line, people);
    expect(`${out}${err}`).toContain('x y …" is not an email address');
    expect(`${out}${err}`.length).toBeLessThan(2_000);
  }
});

describe('member import', () => {
  it('makes the members those of the file, and leaves owners alone', async () => {
    await cli(['member', 'invite', 'li@acme.test', 'old@acme.test', '--role=member']);
    const file = '{"email":"li@acme.test","role":"admin"}\n{"email":"new@acme.test","role":"viewer"}\n';
    const line = ['member', 'import', '-', '--prune', '--ndjson', '--json=email,change,from,role,done'];
    const planned = await cli([...line, '--diff'], file);
    expect(planned.code).toBe(0);
    expect(await emails()).toHaveLength(3);
    expect(await cli(line, file)).toMatchObject({ code: 2 });
    const { code, out } = await cli([...line, '--yes'], file);
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual([
      { email: 'li@acme.test', change: 'update', from: 'member', role: 'admin', done: true },
      { email: 'new@acme.test', change: 'invite', from: null, role: 'viewer', done: true },
      { email: 'old@acme.test', change: 'remove', from: 'member', role: null, done: true },
    ]);
    expect(out.replaceAll('true', 'false')).toBe(planned.out);
    expect(await emails()).toEqual(['li@acme.test admin', 'new@acme.test viewer', 'owner@example.com owner']);
  });

  it('says what is wrong with a JSON list', async () => {
    expect(await cli(['member', 'import', '-', '--diff'], '[{')).toMatchObject({
      code: 2,
      err: expect.stringContaining('The file is not JSON: '),
    });
    const { out } = await cli(
      ['member', 'import', '-', '--diff', '--json=line,problem'],
      '[{"email":"li@acme.test"},7]',
    );
    expect(JSON.parse(out)).toEqual([
      { line: 1, problem: null },
      { line: 2, problem: '"" is not an email address' },
    ]);
  });

  it('finds nothing to do in what was just exported', async () => {
    await cli(['member', 'invite', 'li@acme.test', '--role=admin']);
    for (const format of ['csv', 'ndjson', 'json']) {
      const { out } = await cli(['member', 'export', `--format=${format}`]);
      expect(await cli(['member', 'import', '-', '--diff', '--prune', '--json'], out)).toMatchObject({
        code: 0,
        out: '[]\n',
      });
    }
  });
});
