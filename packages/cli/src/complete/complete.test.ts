import { spawnSync } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TRIGGERS } from '@hubline/contract/constants';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { allFlags } from '../spec/terms.ts';
import { fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { allCommands } from '../test/tree.ts';
import { scripts, SHELLS } from './scripts.ts';

const commands = await allCommands();

/** The words that complete a line, and the directive after them. */
async function completed(line: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await runCli(['__complete', ...line], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.trimEnd().split('\n');
  return { words: lines.slice(0, -1).map((text) => text.split('\t')[0]), directive: lines.at(-1) };
}

describe('completion', () => {
  it.each(commands.map((command) => [command.path, command] as const))(
    '%s completes every flag, and every value that can be known',
    async (path, command) => {
      const words = path.split(' ');
      const flags = allFlags(command);
      const found = (await completed([...words, '--'])).words;
      expect(found).toEqual(expect.arrayContaining(Object.keys(flags).map((name) => `--${name}`)));
      for (const [name, flag] of Object.entries(flags)) {
        if (flag.type === 'boolean') continue;
        const known = flag.choices ?? flag.suggestions;
        if (!known) continue;
        expect((await completed([...words, `--${name}`, ''])).words).toEqual(known);
        expect((await completed([...words, `--${name}=`])).words).toEqual(
          known.map((choice) => `--${name}=${choice}`),
        );
      }
    },
  );

  it.each([
    [['mem'], ['member']],
    [['member', 'inv'], ['invite']],
    [['members', 'inv'], ['invite']],
    [['-w', 'acme', 'member', 'inv'], ['invite']],
    [['help', 'exit'], ['exit-codes']],
    [['help', 'member', 'inv'], ['invite']],
    [['trigger', 'l'], ['list']],
    [['trigger', 'merge'], ['merge_request']],
    [['member', 'permissions', 'v'], ['viewer']],
    [['member', 'list', '--json=email,st'], ['--json=email,status']],
    [['wait', 'd'], ['delivery']],
    [
      ['server', 'start', '--log-format', ''],
      ['pretty', 'json'],
    ],
    [
      ['server', 'start', '--http-thread='],
      ['--http-thread=auto', '--http-thread=on', '--http-thread=off'],
    ],
    [
      ['server', 'jobs', '--kind', 'ma'],
      ['mail', 'match_rules'],
    ],
    [
      ['api', '-X', 'P'],
      ['POST', 'PATCH'],
    ],
    [['nonsense', ''], []],
    [['member', 'nonsense', ''], []],
    [['""'], undefined],
  ])('%j continues with %j', async (line, words) => {
    const found = (await completed(line)).words;
    if (words) expect(found).toEqual(words);
    else expect(found).toContain('workspace');
  });

  it.each([
    [['signature', 'sign', ''], ':files'],
    [['listen', '--secret-file', ''], ':files'],
    [['member', 'invite', '--file='], ':files'],
    [['member', ''], ':words'],
  ])('%j is followed by %s', async (line, directive) => {
    expect((await completed(line)).directive).toBe(directive);
  });

  it('knows IDs from the API, and says nothing when it cannot be asked', async () => {
    const hook = { id: 'whk_1', url: 'https://x.test\u001b[2J', status: 'active' };
    const api = await fakeApi(({ path }) =>
      path === '/webhooks' ? pageResponse([hook, { ...hook, id: 'whk_2' }]) : undefined,
    );
    // A busy machine may take longer than a shell waits.
    const patience = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    onTestFinished(() => patience.mockRestore());
    expect((await completed(['webhook', 'get', ''], api.env)).words).toEqual(['whk_1', 'whk_2']);
    expect((await completed(['delivery', 'list', '--webhook=whk_2'], api.env)).words).toEqual([
      '--webhook=whk_2',
    ]);
    expect((await completed(['wait', 'delivery', ''], api.env)).words).toEqual([]);
    patience.mockRestore();
    expect((await completed(['event', 'get', ''], { HUBLINE_BASE_URL: 'http://127.0.0.1:1' })).words).toEqual(
      [],
    );
    const { out } = await runCli(['__complete', 'webhook', 'get', ''], { env: api.env });
    expect(out).not.toContain('\u001b');
  });

  it('ends before a shell loses patience, even if the server does not respond', async () => {
    const api = await fakeApi(() => undefined);
    const silent = { ...api.env, HUBLINE_BASE_URL: 'http://192.0.2.1/v1' };
    expect((await completed(['event', 'get', ''], silent)).words).toEqual([]);
  });
});

describe('the scripts', () => {
  it.each(SHELLS)('%s is printed, for people and as JSON', async (shell) => {
    expect(await runCli(['completion', shell])).toEqual({ code: 0, out: scripts[shell], err: '' });
    const { out } = await runCli(['completion', shell, '--json=script']);
    expect(JSON.parse(out)).toEqual([{ script: scripts[shell] }]);
  });

  it.each(SHELLS)('%s is installed and uninstalled', async (shell) => {
    const HOME = await temporaryDirectory();
    const env = { HOME, SHELL: `/bin/${shell}` };
    const { out } = await runCli(['completion', 'install', '--json=file,shell'], { env });
    const { file } = JSON.parse(out) as { file: string };
    expect(file.startsWith(HOME)).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(scripts[shell]);
    expect(await runCli(['completion', 'uninstall', shell], { env })).toMatchObject({ code: 0 });
    await expect(access(file)).rejects.toThrow();
  });

  it('for bash says so when bash-completion is missing', async () => {
    const HOME = await temporaryDirectory();
    const system = join(HOME, 'share', 'bash-completion');
    const env = { HOME, SHELL: '/bin/bash', XDG_DATA_DIRS: join(HOME, 'share') };
    const without = await runCli(['completion', 'install'], { env });
    expect(without.out).not.toContain('✓');
    expect(without.out).toMatch(/One step is left\. bash-completion is not installed.*source \S+hubline\n/);
    await mkdir(system, { recursive: true });
    await writeFile(join(system, 'bash_completion'), '');
    const { out, err } = await runCli(['completion', 'install'], { env });
    expect(out).toMatch(/^✓ Installed the completion for bash/);
    expect(err).toContain('Open a new shell');
  });

  it('are guessed in Git Bash, and in PowerShell, which has no SHELL', async () => {
    const HOME = await temporaryDirectory();
    const guess = async (env: Record<string, string>) =>
      (await runCli(['completion', 'install', '--json=shell'], { env: { HOME, ...env } })).out;
    expect(await guess({ SHELL: 'C:/Program Files/Git/usr/bin/bash.exe', PSModulePath: 'x' })).toContain(
      'bash',
    );
    expect(await guess({ PSModulePath: 'x' })).toContain('powershell');
  });

  it('are not guessed for an unknown shell', async () => {
    const { code, err } = await runCli(['completion', 'install'], { env: { SHELL: '/bin/tcsh' } });
    expect({ code, said: err.includes('There is no completion for tcsh.') }).toEqual({ code: 2, said: true });
  });
});

/** The program, as the shells of these tests call it. */
const program = `${process.execPath} --conditions=hubline-source ${join(import.meta.dirname, '..', 'bin.ts')}`;

// A machine without the shell has nothing to complete in it.
const missing = (shell: string): boolean => spawnSync(shell, ['--version']).error !== undefined;

/** The output of a shell that runs these lines in a directory with one file. */
async function inShell(shell: 'bash' | 'fish', lines: readonly string[]): Promise<string[]> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'key file.txt'), '');
  await writeFile(join(directory, 'script'), scripts[shell]);
  const bare = { bash: ['--norc', '-c'], fish: ['--no-config', '-c'] }[shell];
  const { stdout, stderr } = spawnSync(shell, [...bare, lines.join('\n')], {
    cwd: directory,
    env: { ...process.env, HUBLINE_CONFIG_DIR: directory },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe.skipIf(missing('bash'))('a real bash', () => {
  // The line is split as bash itself splits it.
  it.each([
    [['memb'], ['member']],
    [
      ['webhook', 'create', '--trigger', ''],
      [String.raw`\*`, ...TRIGGERS],
    ],
    [
      ['webhook', 'create', '--trigger', '=', ''],
      [String.raw`\*`, ...TRIGGERS],
    ],
    [['webhook', 'create', '--trigger', '=', 'ev'], ['event.created']],
    [['auth', 'login', '--key-file', 'key'], ['key file.txt']],
    [['auth', 'login', '--key-file', '=', 'key'], ['key file.txt']],
  ])('completes %j', async (words, found) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    expect(
      await inShell('bash', [
        `hubline() { ${program} "$@"; }`,
        'source ./script',
        `COMP_WORDS=(hubline ${typed}) COMP_CWORD=${words.length}`,
        '_hubline',
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ]),
    ).toEqual(found);
  });
});

describe.skipIf(missing('fish'))('a real fish', () => {
  it.each([
    ['memb', ['member\tMembers of a workspace, their roles, and invitations']],
    ['webhook create --trigger=ev', ['--trigger=event.created']],
    ['auth login --key-file key', ['key file.txt']],
    ['auth login --key-file=key', ['--key-file=key file.txt']],
    [String.raw`auth login --key-file key\\ fi`, ['key file.txt']],
    ['auth login --key-file ~/key', ['~/key file.txt']],
    ['auth login --key-file=~/key', ['--key-file=~/key file.txt']],
    ['webhook key', []],
  ])('completes %j', async (words, found) => {
    expect(
      await inShell('fish', [
        'set -x HOME $PWD',
        `function hubline; ${program} $argv; end`,
        'source ./script',
        `complete -C 'hubline ${words}'`,
      ]),
    ).toEqual(found);
  });
});
