import { endpoints } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { nouns } from '../src/commands/registry.ts';
import { parse } from '../src/parser/parse.ts';
import type { Command } from '../src/spec/command.ts';
import { GLOBAL_FLAGS } from '../src/spec/global-flags.ts';
import { commandLines } from '../src/test/command-lines.ts';
import { errorResponse, fakeApi, pageResponse } from '../src/test/fake-api.ts';
import { runCli } from '../src/test/run-cli.ts';
import { allCommands, minimalLine } from '../src/test/tree.ts';

const commands = await allCommands();
const paths = commands.map((command) => [command.path, command] as const);
const now = Date.now();

/** Commands that end otherwise than their specs say: one of several inputs is missing, nothing is saved, or nobody answers. */
const EXITS: Readonly<Record<string, number>> = {
  'workspace update': 2,
  'member invite': 2,
  'event publish': 2,
  'delivery retry': 2,
  'invitation accept': 2,
  'auth login': 2,
  'auth logout': 2,
  'context show': 2,
  'config edit': 2,
  'completion install': 2,
  'completion uninstall': 2,
  listen: 2,
  'auth token': 3,
  'server stop': 4,
  'server setup-link': 4,
  'server copy-to-postgres': 2,
  'service status': 4,
  'service logs': 4,
  open: 7,
  'server status': 9,
  doctor: 9,
  // Needs either a preset or a definition.
  'provider define': 2,
  // With npm it says what to type.
  upgrade: 2,
};

/** The exit code of a command that was given nothing: no input, no key, no server. */
function exitWithoutAnything({
  path,
  args = {},
  flags = {},
  danger = 'none',
  endpoints: called = [],
}: Command): number {
  const needsInput =
    Object.values(args).some(({ optional }) => !optional) ||
    Object.values(flags).some((flag) => flag.type !== 'boolean' && flag.required);
  return EXITS[path] ?? (needsInput || danger !== 'none' ? 2 : called.length > 0 ? 3 : 0);
}

describe('the tree', () => {
  it('reaches every endpoint of the contract but those of providers', async () => {
    const { out } = await runCli(['commands', '--json']);
    const tree = JSON.parse(out) as { endpoints: string[] }[];
    const reached = new Set(tree.flatMap((command) => command.endpoints));
    const wanted = Object.keys(endpoints).filter((name) => !name.startsWith('ingest.'));
    expect([...reached].toSorted()).toEqual(wanted.toSorted());
  });

  it('names every command once, below its own noun', () => {
    expect(new Set(commands.map(({ path }) => path)).size).toBe(commands.length);
    for (const { path } of commands) expect(nouns.map(({ name }) => name)).toContain(path.split(' ')[0]);
  });

  it('has no two names for one thing: aliases and verbs differ within a noun', () => {
    for (const noun of new Set(commands.map(({ path }) => path.split(' ')[0]))) {
      const names = commands
        .filter(({ path }) => path.split(' ')[0] === noun)
        .flatMap(({ path, aliases = [] }) => [path.split(' ').at(-1), ...aliases]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it.each([
    ['get', 'view'],
    ['use', 'switch'],
    ['list', 'ls'],
    ['delete', 'rm'],
    ['remove', 'rm'],
    ['revoke', 'rm'],
    ['disconnect', 'rm'],
  ])('knows %s as %s, too, whatever the noun', (verb, alias) => {
    const named = commands.filter(({ path }) => path.endsWith(` ${verb}`));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ aliases = [] }) => !aliases.includes(alias)).map(({ path }) => path)).toEqual([]);
  });

  it.each(paths.filter(([, { needsFlag }]) => needsFlag))(
    '%s without a flag is refused, and names all of them',
    async (_, command) => {
      const { code, err } = await runCli([...minimalLine(command)]);
      const flags = Object.keys(command.flags ?? {}).map((name) => `--${name}`);
      expect({ code, err }).toEqual({
        code: 2,
        err: `Error: There is nothing to change.\nAdd one of: ${flags.join(', ')}.\n`,
      });
    },
  );

  it('every update of which no flag is required needs one', () => {
    const updates = commands.filter(
      ({ path, flags = {} }) =>
        path.endsWith(' update') && !Object.values(flags).some((flag) => 'required' in flag && flag.required),
    );
    // rule update takes exactly one of its flags, and says so.
    expect(updates.filter(({ needsFlag }) => !needsFlag).map(({ path }) => path)).toEqual(['rule update']);
  });

  it.each(paths.filter(([, { args = {} }]) => Object.keys(args).length > 0))(
    '%s takes arguments that begin with a dash, after --',
    async (path, command) => {
      const names = Object.keys(command.args ?? {});
      const values = names.map((name) => `-${name}@example.com`);
      const parsed = await parse([...path.split(' '), '--verbose', '--', ...values], {
        nouns,
        now,
        width: 80,
      });
      if ('help' in parsed) throw new Error('It asks for help.');
      expect(parsed.command.path).toBe(path);
      expect(Object.values(parsed.args).flat()).toEqual(values);
      expect(parsed.globals.verbose).toBe(true);
    },
  );

  it.each(paths)('%s has no flag that hides a global one', (_, { flags = {} }) => {
    const globals = Object.entries(GLOBAL_FLAGS).flatMap(([name, flag]) => [
      'short' in flag ? flag.short : name,
      name,
    ]);
    const own = Object.entries(flags).flatMap(([name, { short }]) => [name, short]);
    expect(own.filter((name) => globals.includes(name ?? ''))).toEqual([]);
  });

  it.each(paths)(
    '%s --help shows how it is used, examples and its own flags, in this order',
    async (path, command) => {
      const { code, out, err } = await runCli([...path.split(' '), '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const own = Object.keys(command.flags ?? {});
      const order = [
        'Usage: ',
        command.summary.slice(0, 20),
        `$ ${command.examples[0]}`,
        ...own.map((name) => `--${name}`),
      ];
      const positions = order.slice(0, 3).map((text) => out.indexOf(text));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(order.filter((text) => !out.includes(text))).toEqual([]);
      expect(out).toContain('help flags');
      expect(out).not.toContain('--request-id-file');
    },
  );

  it.each(paths)('every example of %s parses, and fits', async (path, command) => {
    const { out } = await runCli([...path.split(' '), '--help']);
    expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([]);
    for (const line of command.examples.flatMap(commandLines)) {
      expect(await parse(line, { nouns, now, width: 80 })).toHaveProperty('command.path');
    }
    const first = commandLines(command.examples[0]).at(-1) ?? [];
    expect(await parse(first, { nouns, now, width: 80 })).toHaveProperty('command.path', path);
  });

  it.each(paths.filter(([, { drains }]) => !drains))(
    '%s without anything ends by itself, and says why',
    async (path, command) => {
      const { code, out, err } = await runCli(path.split(' '), {
        env: { HUBLINE_BASE_URL: 'http://127.0.0.1:1' },
      });
      expect({ code, err }).toMatchObject({ code: exitWithoutAnything(command) });
      if (code === 0) return;
      // The message of an error, and its hint.
      expect(err.trimEnd().split('\n').length).toBeGreaterThan(1);
      if (!['doctor', 'server status'].includes(path)) expect(out).toBe('');
    },
  );

  it.each(paths.filter(([, { danger = 'none' }]) => danger !== 'none'))(
    '%s refuses off a terminal',
    async (_, command) => {
      const api = await fakeApi(() => ({ status: 204 }));
      const { code, out, err } = await runCli(minimalLine(command), { env: api.env, stdin: 'y\n' });
      expect({ code, out, requests: api.received }).toEqual({ code: 2, out: '', requests: [] });
      expect(err).toMatch(/Add --(?:yes|confirm)/);
    },
  );

  it.each(paths.filter(([, { danger = 'none', path }]) => danger !== 'none' && !path.startsWith('context')))(
    '%s does nothing after a "no" on a terminal',
    async (_, command) => {
      const api = await fakeApi(({ method }) =>
        method === 'GET' ? { body: { id: 'ws_x', slug: 'acme' } } : { status: 204 },
      );
      const { code } = await runCli(minimalLine(command), { env: api.env, tty: true, answers: [false] });
      expect(code).toBe(2);
      expect(api.received.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );

  describe.each([
    ['fails', () => errorResponse(500, 'internal_error')],
    ['answers nonsense', () => ({ body: 'nonsense' })],
    [
      'fails behind the first page',
      (query: string | undefined) =>
        query === undefined ? pageResponse([{ id: 'x' }], 'next') : errorResponse(500, 'internal_error'),
    ],
  ] as const)('with --json, when the server %s', (_, answer) => {
    it.each(paths.filter(([, { drains }]) => !drains))(
      '%s leaves stdout empty or parseable',
      async (path, command) => {
        const api = await fakeApi(({ query }) => answer(query['cursor']));
        const line = [
          ...minimalLine(command),
          '--json',
          '--yes',
          '--retries=0',
          '--no-input',
          '--timeout=5s',
        ];
        const stop = AbortSignal.timeout(command.live ? 1_000 : 20_000);
        const { code, out, err } = await runCli(
          command.danger === 'type-name' ? [...line, '--confirm=x'] : line,
          {
            env: api.env,
            signal: stop,
          },
        );
        for (const document of command.live ? out.split('\n').filter(Boolean) : [out].filter(Boolean)) {
          expect(() => JSON.parse(document) as unknown, path).not.toThrow();
        }
        if (code === 0 || command.live) return;
        const report = JSON.parse(err.trim().split('\n').at(-1) ?? '') as {
          error: { exit_code: number };
        };
        expect(report.error.exit_code).toBe(code);
      },
    );
  });
});
