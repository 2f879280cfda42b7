import { describe, expect, it } from 'vitest';
import { fakeApi, pageResponse, WORKSPACE } from '../src/test/fake-api.ts';
import { runCli } from '../src/test/run-cli.ts';

describe('help', () => {
  it('lists the nouns without a command, and exits 0', async () => {
    const { code, out, err } = await runCli([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const noun of ['workspace', 'webhook', 'server', 'api']) expect(out).toContain(`\n  ${noun} `);
    expect(await runCli(['help'])).toEqual({ code, out, err });
    expect(await runCli(['--help'])).toEqual({ code, out, err });
  });

  it('shows a command under help as under --help', async () => {
    expect(await runCli(['help', 'member', 'invite'])).toEqual(await runCli(['member', 'invite', '--help']));
    expect(await runCli(['help', 'members'])).toEqual(await runCli(['member', '--help']));
  });

  it('on fields is what --json= prints, and the command is not run', async () => {
    const api = await fakeApi(() => ({ status: 204 }));
    const { code, out, err } = await runCli(['webhook', 'delete', 'whk_1', '--yes', '--json='], {
      env: api.env,
    });
    expect({ code, out, err, requests: api.received }).toEqual({
      code: 0,
      out: 'id\ndeleted\n',
      err: '',
      requests: [],
    });
  });

  it('has topics', async () => {
    const { out } = await runCli(['help', 'exit-codes', '--json=code']);
    expect(JSON.parse(out)).toContainEqual({ code: 141 });
  });
});

describe('mistakes', () => {
  it.each([
    [['membr'], "Unknown command 'membr'. (Did you mean member?)", 'See: hubline --help'],
    [['member', 'lst'], "Unknown command 'lst'.", 'See: hubline member --help'],
    [['member'], 'hubline member needs a verb: list, invite', 'See: hubline member --help'],
    [['member', 'list', '--foo'], "Unknown option '--foo'.", 'See: hubline member list --help'],
    [
      ['webhook', 'create', '--secret', 'abc'],
      "Unknown option '--secret'. Use --secret-file or --generate-secret.",
      'See: hubline webhook create --help',
    ],
    [
      ['webhook', 'rotate-secret', 'whk_1', '--secret=abc'],
      "Unknown option '--secret'. Use --secret-file.",
      'See: hubline webhook rotate-secret --help',
    ],
    [['--', 'event', 'list'], 'The command goes before --, and its arguments after it.', 'hubline --help'],
    [
      ['member', 'remove', '--', '-x', '--yes'],
      'hubline member remove needs confirmation.',
      'Put --yes before --: what follows that is an argument.',
    ],
    [['member', 'remove', '--', '-x'], 'hubline member remove needs confirmation.', 'Add --yes.'],
    [['event', 'get'], "Missing required argument 'event'.", 'See: hubline event get --help'],
    [['event', 'get'], "Missing required argument 'event'.", 'For example: hubline event get evt_'],
    [['member', 'list', 'x'], 'Too many arguments', 'See: hubline member list --help'],
    [['member', 'list', '-w'], 'argument missing', 'See: hubline member list --help'],
    [
      ['member', 'remove', '-x@example.com'],
      "Unknown option '-x@example.com'.",
      'An argument that begins with - goes to the end, after --: hubline member remove [flags] -- <user...>. See:',
    ],
    [['member', 'remove', '--x@example.com'], "Unknown option '--x@example.com'.", '[flags] -- <user...>.'],
    // -y is a flag, and so is -w with the rest as its value.
    [['member', 'remove', '-y@example.com'], "Unknown option '-@example.com'.", '[flags] -- <user...>.'],
    [['member', 'remove', '-web@example.com'], "Missing required argument 'user'.", '[flags] -- <user...>.'],
    [
      ['server', 'set-password', '--', '-x@example.com', '--keep-keys'],
      'Too many arguments',
      'hubline server set-password [flags] -- <email>.',
    ],
    [['event', 'list', '--limit=many'], '--limit takes a whole number', ''],
    [['whoami', '--timeout=0s'], '--timeout takes a duration from 1ms, such as 30s', ''],
    [['whoami', '--max-wait=0.1ms'], '--max-wait takes a duration from 1ms, such as 30s', ''],
    [['event', 'list', '--json', '-o', 'csv'], 'One format at a time, not json and csv.', ''],
    [['event', 'list', '--json=nonsense'], 'There is no field', 'The fields are: event_id, type'],
    [['api', 'me', '--json='], '--json= needs the names of fields.', 'not known before the response'],
    [['webhook', 'recover', 'whk_1'], '--since is missing.', 'See: hubline webhook recover --help'],
    [['workspace', 'create', '--slug=x'], '--name is missing.', 'See: hubline workspace create --help'],
    [
      ['whoami', 'hl_0123456789012345678901234567890123456789'.slice(0, 39)],
      'There is an API key on the command line',
      '--with-key',
    ],
  ])('%j ends with 2, says what is wrong and where to look', async (argv, message, hint) => {
    const { code, out, err } = await runCli(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toContain(hint);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['member', 'remove', 'x', '--foo=bar@example.com'],
    ['member', 'list', '-x'],
  ])('do not speak of arguments that begin with a dash where there are none: %j', async (...argv) => {
    expect((await runCli(argv)).err).not.toContain('after --');
  });

  it('are JSON on stderr with --json, even when the command line makes no sense', async () => {
    const { code, out, err } = await runCli(['event', 'lst', '--json']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringContaining("Unknown command 'lst'") as string,
        status: null,
        request_id: null,
        details: [],
        hint: 'See: hubline event --help',
        exit_code: 2,
      },
    });
  });
});

describe('words and flags', () => {
  it('may stand in any order, under plural nouns and other names of a verb', async () => {
    const api = await fakeApi(() => pageResponse([]));
    const lines = [
      ['-w', WORKSPACE, 'member', 'list'],
      ['members', '-w', WORKSPACE, 'ls'],
      ['member', 'ls', `--workspace=${WORKSPACE}`],
    ];
    for (const line of lines) expect(await runCli(line, { env: api.env })).toMatchObject({ code: 0 });
    expect(new Set(api.received.map(({ path }) => path))).toEqual(
      new Set([`/workspaces/${WORKSPACE}/members`]),
    );
  });

  it('take a value that looks like a flag as a value', async () => {
    const api = await fakeApi(() => ({ body: { success: true, destination: 'x' } }));
    await runCli(['integration', 'test', 'int_x', '--message', '--json'], { env: api.env });
    expect(api.received[0]?.body).toMatchObject({ payload: { message: '--json' } });
  });

  it('print the version', async () => {
    expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

it.each([['--color=never'], ['--color', 'never']])(
  '%j holds for the error of a line that does not parse',
  async (...flag) => {
    const { code, err } = await runCli(['membr', ...flag], { tty: true, env: { FORCE_COLOR: '1' } });
    expect({ code, err }).toEqual({
      code: 2,
      err: "Error: Unknown command 'membr'. (Did you mean member?)\nSee: hubline --help\n",
    });
  },
);
