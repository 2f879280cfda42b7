import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../spec/global-flags.ts';
import type { Output } from '../terminal/io.ts';
import { visible } from '../terminal/text.ts';
import { errorResponse, fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { testIo } from '../test/test-io.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const member = (email: string, role = 'member') => ({
  user_id: `usr_${email.slice(0, 2)}`,
  email,
  role,
  status: 'active',
  joined_at: '2026-06-13T12:00:00.000Z',
});
const people = [member('ana@acme.test', 'owner'), member('li@acme.test', 'admin')];

async function list(line: string[], options: { data?: unknown[]; tty?: boolean; columns?: number } = {}) {
  const api = await fakeApi(() => pageResponse(options.data ?? people));
  return runCli(['member', 'list', ...line], { env: api.env, now, ...options });
}

describe('a list', () => {
  it('is a table on a terminal, with relative times and a count on stderr', async () => {
    expect(await list(['--color=never'], { tty: true })).toEqual({
      code: 0,
      out: [
        'EMAIL          ROLE   STATUS  JOINED      USER ID',
        'ana@acme.test  owner  active  2 days ago  usr_an',
        'li@acme.test   admin  active  2 days ago  usr_li',
        '',
      ].join('\n'),
      err: '2 members\n',
    });
  });

  it('is tab-separated in a pipe: no header, full times', async () => {
    const { out, err } = await list([]);
    expect(out).toBe(
      'ana@acme.test\towner\tactive\t2026-06-13T12:00:00.000Z\tusr_an\nli@acme.test\tadmin\tactive\t2026-06-13T12:00:00.000Z\tusr_li\n',
    );
    expect(err).toBe('');
  });

  it.each([
    ['--json', JSON.stringify(people).replace('},{', '},\n{') + '\n'],
    [
      '--json=email,role',
      '[{"email":"ana@acme.test","role":"owner"},\n{"email":"li@acme.test","role":"admin"}]\n',
    ],
    ['--ndjson --json=role', '{"role":"owner"}\n{"role":"admin"}\n'],
    [
      '-o csv --limit 1',
      'email,role,status,joined_at,user_id\r\nana@acme.test,owner,active,2026-06-13T12:00:00.000Z,usr_an\r\n',
    ],
    ['-q', 'usr_an\nusr_li\n'],
    ['-o id', 'usr_an\nusr_li\n'],
  ])('%s prints its format everywhere', async (flags, out) => {
    expect((await list(flags.split(' '))).out).toBe(out);
  });

  it('that is empty ends with exit code 0, is [] with --json, and a note elsewhere', async () => {
    expect(await list(['--json'], { data: [] })).toEqual({ code: 0, out: '[]\n', err: 'No members.\n' });
    expect(await list(['-q'], { data: [] })).toEqual({ code: 0, out: '', err: '' });
  });

  it('that goes on says so below what it shows', async () => {
    const api = await fakeApi(() => pageResponse(people, 'next'));
    const order: string[] = [];
    const io = testIo({ tty: true });
    const watched = (name: string, to: Output): Output => ({
      ...to,
      write: async (text) => void order.push(`${name}: ${String(text).split('\n')[0]}`),
    });
    await runCli(['member', 'list', '--limit=2', '--color=never'], {
      env: api.env,
      io: { ...io, stdout: watched('out', io.stdout), stderr: watched('err', io.stderr) },
    });
    expect(order.filter((line) => line !== 'out: ')).toEqual([
      'out: EMAIL          ROLE   STATUS  JOINED        USER ID',
      'err: 2 members',
      'err: There are more than 2: add --all, or a larger --limit.',
    ]);
  });

  it('that goes on says so with -q, too, unless its limit was chosen', async () => {
    const { env } = await fakeApi(() => pageResponse(Array(20).fill(people[0]), 'next'));
    const err = async (...flags: string[]) => (await runCli(['member', 'list', '-q', ...flags], { env })).err;
    expect(await err()).toBe('There are more than 20: add --all, or a larger --limit.\n');
    expect(await err('--limit=2')).toBe('');
  });

  it('says yes and no to people, true and false to programs', async () => {
    const line = ['member', 'permissions', '--color=never'];
    expect((await runCli(line, { tty: true })).out).toMatch(/^manage_billing +yes +no +no +no$/m);
    expect((await runCli(line)).out).toMatch(/^manage_billing\ttrue\tfalse\tfalse\tfalse$/m);
  });

  it('fits the terminal: what may be cut is cut, IDs and states are not', async () => {
    const data = [member(`${'a'.repeat(120)}@acme.test`)];
    const { out } = await list(['--color=never'], { data, tty: true, columns: 60 });
    for (const line of out.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(out).toContain('…');
    expect(out).toContain('usr_aa');
  });

  it('counts characters of two columns as two', async () => {
    const data = [member('日本語@acme.test'), member('ana@acme.test')];
    const [, wide = '', narrow = ''] = (await list(['--color=never'], { data, tty: true })).out.split('\n');
    expect(wide.indexOf('member')).toBe(narrow.indexOf('member') - 3);
    expect(wide.startsWith('日本語@acme.test  member')).toBe(true);
  });
});

describe('hostile text', () => {
  const evil = 'a\u001b[2Jb\u202ec\td\ne\u200bf';

  it('neither acts nor hides on a terminal', async () => {
    const { out } = await list(['--color=never'], { data: [member(evil)], tty: true, columns: 200 });
    expect(out).toContain('a\\u001b[2Jb\\u202ec\\td\\ne\\u200bf');
  });

  it('is escaped in JSON on a terminal, and still the same JSON', async () => {
    const { out } = await list(['--json'], { data: [member(evil)], tty: true });
    expect(['\u001b', '\u202e', '\u200b'].filter((character) => out.includes(character))).toEqual([]);
    expect(JSON.parse(out)).toEqual([member(evil)]);
  });

  it('stays in its cell in a pipe', async () => {
    const { out } = await list([], { data: [member(evil)] });
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out.split('\t')).toHaveLength(5);
  });

  /** Clears the screen, writes the clipboard (OSC 52), reverses text, hides text, and begins a new row. */
  const hostile = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b1m\u202e\u200b\r\nrow\ttab';
  const acts = /[^\P{Cc}\n\t]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
  const formats = ['', '--json', '--ndjson', '-q', '--jq=.', '--template={{email}}'].concat(
    FORMATS.map((format) => `-o ${format}`),
  );
  const line = (command: string, format: string) => [
    ...command.split(' '),
    ...format.split(' ').filter(Boolean),
    '--color=never',
    '--no-pager',
  ];

  it.each(
    ['member list', 'webhook get x', 'api webhooks/x', 'audit export', 'event tail'].flatMap((command) =>
      formats.map((format) => [command, format] as const),
    ),
  )('does not act on a terminal: %s %s', async (command, format) => {
    const item = {
      ...member(hostile),
      id: hostile,
      user_id: hostile,
      event_id: hostile,
      url: hostile,
      events: [hostile],
      type: hostile,
    };
    const api = await fakeApi(({ path, query }) => {
      if (path.endsWith('/stream')) {
        return {
          text: `data: ${JSON.stringify(item)}\n\n`,
          headers: { 'content-type': 'text/event-stream' },
        };
      }
      if (query['format'] === 'csv')
        return { text: `id\r\n"${hostile}"\r\n`, headers: { 'content-type': 'text/csv' } };
      return path.startsWith('/webhooks/') ? { body: item } : pageResponse([item]);
    });
    const more = command === 'event tail' ? ['--limit=1'] : [];
    const { out, err } = await runCli([...line(command, format), ...more], {
      env: api.env,
      now,
      tty: true,
      columns: 500,
    });
    expect((out + err).replaceAll('\r\n', '\n')).not.toMatch(acts);
  });

  it.each([
    ['workspace create --name=x --slug=x', 'workspace use'],
    [
      'webhook create --url=https://app.example.com --trigger=* --generate-secret --workspace=ws_x',
      'webhook ping',
    ],
  ])('is one word for a shell in the command that follows: %s', async (line, follows) => {
    const word = 'x;id`id`$(id)';
    const api = await fakeApi(() => ({
      status: 201,
      body: { id: word, slug: word, events: ['*'], memberships: [{ workspace_id: 'ws_x', slug: 'ws_x' }] },
    }));
    const { err } = await runCli([...line.split(' '), '--color=never'], { env: api.env, now, tty: true });
    expect(err).toContain(` ${follows} '${word}'\n`);
  });

  it.each(['--verbose', '--json'])('does not act in an error on a terminal: %s', async (flag) => {
    const error = { code: 'not_found', message: hostile, request_id: hostile };
    const details = [{ field: hostile, issue: hostile }];
    const api = await fakeApi(() => ({ status: 404, body: { error: { ...error, details } } }));
    const argv = ['webhook', 'get', 'x', flag, '--color=never'];
    const { code, err } = await runCli(argv, { env: api.env, now, tty: true });
    expect({ code, err }).toEqual({ code: 4, err: expect.not.stringMatching(acts) });
    expect(err).toContain('u001b[2J');
  });

  it('does not act in a note, a hint or a question', async () => {
    const memberships = ['a', 'b'].map((id) => ({
      workspace_id: id + hostile,
      slug: id + hostile,
      name: hostile,
      role: 'owner',
    }));
    const user = { id: hostile, email: hostile };
    const body = { user, key: { id: hostile, prefix: hostile, expires_at: null }, memberships };
    const api = await fakeApi(({ headers }) =>
      headers.authorization === undefined ? errorResponse(401, 'unauthorized') : { body },
    );
    const { HUBLINE_BASE_URL: url } = api.env;
    const login = async (...line: string[]) => {
      const asked: string[] = [];
      const HUBLINE_CONFIG_DIR = await temporaryDirectory();
      const { err } = await runCli(['auth', 'login', url, '--color=never', ...line], {
        env: { HUBLINE_CONFIG_DIR },
        tty: true,
        answers: ['hl_test', visible(`b${hostile}`)],
        asked,
      });
      return { err, asked };
    };
    const directory = await temporaryDirectory();
    const file = join(directory, 'key');
    await writeFile(file, 'hl_test');
    const note = await login('--no-input', `--key-file=${file}`);
    expect(note).toEqual({ err: expect.stringContaining('Choose a workspace'), asked: [] });
    const hint = await login('--no-input', `--key-file=${file}`, '--workspace=c');
    expect(hint.err).toContain('It can see');
    const question = await login();
    expect(question.asked).toContain('Workspace');
    expect(question.err).toContain('See what comes in');
    for (const { err, asked } of [note, hint, question]) expect(err + asked.join('\n')).not.toMatch(acts);
  });

  it('reaches a program byte for byte in TSV and CSV, but for what would end a cell', async () => {
    const data = [member(hostile)];
    const [email = ''] = (await list(['-o', 'tsv'], { data })).out.split('\t');
    expect(email).toBe(hostile.replace('\r\n', '\\r\\n').replace('\t', '\\t'));
    expect((await list(['-o', 'csv'], { data })).out).toContain(`"${hostile}"`);
  });

  it('is not a formula in CSV', async () => {
    const { out } = await list(['-o', 'csv'], { data: [member('=cmd|"x"')] });
    expect(out).toContain(`"'=cmd|""x"""`);
  });

  it('keeps the tabs that a jq program makes, on a terminal, too', async () => {
    const line = ['--jq=.[] | [.email, .role] | @tsv', '--color=never'];
    const { out } = await list(line, { data: [member('li@acme.test')], tty: true });
    expect(out).toBe('li@acme.test\tmember\n');
  });

  it('is escaped in error messages', async () => {
    const error = { code: 'conflict', message: 'no \u001b[31m', details: [], request_id: 'req_x' };
    const api = await fakeApi(() => ({ status: 409, body: { error } }));
    expect((await runCli(['whoami'], { env: api.env })).err).toContain('no \\u001b[31m');
  });
});

describe('an error', () => {
  const message = `Something went wrong ${'and on '.repeat(20)}`.trim();
  const fail = async (tty: boolean) => {
    const error = { code: 'conflict', message, details: [], request_id: 'req_x' };
    const api = await fakeApi(() => ({ status: 409, body: { error } }));
    return (await runCli(['whoami', '--color=never'], { env: api.env, tty })).err.split('\n');
  };

  it('breaks between words on a terminal, and not at all elsewhere', async () => {
    const lines = await fail(true);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.slice(0, -3).join(' ')).toBe(`Error: ${message}`);
    expect((await fail(false))[0]).toBe(`Error: ${message}`);
  });
});

describe('what a write says', () => {
  it('breaks between words on a terminal, and not at all elsewhere', async () => {
    const url = `https://acme.test/${'x'.repeat(30)}`;
    const api = await fakeApi(() => ({ status: 201, body: { id: 'whk_06f8xw2b3c4d5e6f7g8h9j0kmn', url } }));
    const line = ['webhook', 'create', `--url=${url}`, '--trigger=*', '--generate-secret', '--color=always'];
    const said = async (tty: boolean) => {
      const { out } = await runCli(line, { env: api.env, tty });
      return stripVTControlCharacters(out).split('\n').slice(0, -2);
    };
    const text = `✓ Created webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn for ${url}. Its secret is shown only now:`;
    expect(await said(false)).toEqual([text]);
    const lines = await said(true);
    expect(lines.filter((each) => each.length > 80)).toEqual([]);
    expect(lines.join(' ')).toBe(text);
  });
});

describe('color', () => {
  it('is readable on light and on dark: none of the bright ones, no background, no white, no black', async () => {
    const api = await fakeApi(() => pageResponse(people.map((each) => ({ ...each, status: 'invited' }))));
    const lines = await Promise.all(
      [['member', 'list'], ['member', 'permissions'], ['doctor'], ['nonsense'], ['help', 'formatting']].map(
        (line) =>
          runCli([...line, '--color=always'], { env: { ...api.env, TERM: 'xterm-256color' }, tty: true }),
      ),
    );
    const text = lines.map(({ out, err }) => out + err).join('');
    const used = new Set(
      text
        .split('\u001b[')
        .slice(1)
        .map((rest) => rest.slice(0, rest.indexOf('m'))),
    );
    expect([...used].filter((code) => !/^(?:0|1|2|22|39|3[12]|38;5;136)$/.test(code))).toEqual([]);
    expect(used.size).toBeGreaterThan(4);
  });

  it('is yellow where the terminal has no better one', async () => {
    const api = await fakeApi(() => pageResponse([{ status: 'invited' }]));
    const of = async (env: Readonly<Record<string, string>>) =>
      (await runCli(['member', 'list'], { env: { ...api.env, ...env }, tty: true })).out;
    expect(await of({ TERM: 'xterm' })).toContain('\u001b[33minvited\u001b[39m');
    expect(await of({ TERM: 'xterm-256color' })).toContain('\u001b[38;5;136minvited\u001b[39m');
  });

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ CLICOLOR_FORCE: '1' }, false, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('with %j and a terminal %s is %s', async (env, tty, color) => {
    const api = await fakeApi(() => pageResponse(people));
    const { out } = await runCli(['member', 'list', '-o', 'table'], { env: { ...api.env, ...env }, tty });
    expect(out.includes('\u001b[')).toBe(color);
  });
});

describe('a single thing', () => {
  const workspace = {
    id: 'ws_1',
    name: 'Acme',
    slug: 'acme',
    plan: 'free',
    created_at: '2026-06-15T11:00:00.000Z',
  };
  const get = async (line: string[], tty: boolean) => {
    const api = await fakeApi(() => ({ body: workspace }));
    return (await runCli(['workspace', 'get', ...line], { env: api.env, tty, now })).out;
  };

  it('is a field per line: for people on a terminal, name and value in a pipe', async () => {
    expect(await get(['--color=never'], true)).toContain(
      'created_at  2026-06-15T11:00:00.000Z (1 hour ago)\n',
    );
    expect(await get([], false)).toContain('name\tAcme\nslug\tacme\n');
  });

  it('is one document with --json, absent fields as null', async () => {
    expect(JSON.parse(await get(['--json=slug,updated_at'], false))).toEqual({
      slug: 'acme',
      updated_at: null,
    });
  });

  it('that was changed is one line with its ID, or the ID with -q', async () => {
    const api = await fakeApi(() => ({ status: 201, body: workspace }));
    const line = ['workspace', 'create', '--name=Acme', '--slug=acme'];
    expect((await runCli(line, { env: api.env })).out).toBe('✓ Created workspace acme (ws_1)\n');
    expect((await runCli([...line, '-q'], { env: api.env })).out).toBe('ws_1\n');
  });
});

describe('one of several IDs that fails', () => {
  const get = async (...flags: string[]) => {
    const { env } = await fakeApi(({ path }) =>
      path.endsWith('/evt_1')
        ? { body: { event_id: 'evt_1', type: 'push' } }
        : errorResponse(404, 'not_found'),
    );
    return runCli(['event', 'get', 'evt_1', 'evt_0', ...flags], { env });
  };
  const failed = 'Error: 1 of 2 failed.\nThe output has the reason for each.\n';

  it.each([
    [['-q'], 'evt_1\n'],
    [['-o', 'csv'], 'event_id,type,source,created_at,summary.text\r\nevt_1,push,,,\r\n,,,,\r\n'],
    [['-o', 'tsv'], 'evt_1\tpush\t\t\t\n\t\t\t\t\n'],
    [['--template={{type}}'], 'push\n\n'],
    [['--jq=.[].type'], 'push\nnull\n'],
  ])('%j: stderr has its ID and the reason', async (flags, out) => {
    expect(await get(...flags)).toEqual({ code: 10, out, err: `✗ evt_0: It is not_found.\n${failed}` });
  });

  it('fields of JSON: stderr has it as JSON', async () => {
    const { out, err } = await get('--json=event_id');
    expect(JSON.parse(out)).toEqual([{ event_id: 'evt_1' }, { event_id: null }]);
    const [first = '', last = ''] = err.split('\n');
    expect(JSON.parse(first)).toMatchObject({ id: 'evt_0', error: { code: 'not_found' } });
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'partial' } });
  });

  it.each(['--json', '--ndjson'])('%s: stdout has all of it, so stderr does not repeat it', async (flag) => {
    const { out, err } = await get(flag);
    expect(out).toContain('{"error":{"code":"not_found","message":"It is not_found."},"id":"evt_0"}');
    expect(err).not.toContain('evt_0');
  });
});
