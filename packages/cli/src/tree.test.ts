import { endpoints } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { nouns } from './commands/registry.ts';
import { parse } from './parser/parse.ts';
import { GLOBAL_FLAGS } from './spec/global-flags.ts';
import { errorAnswer, fakeApi, pageAnswer } from './test/fake-api.ts';
import { runCli } from './test/run-cli.ts';
import { commandLines } from './test/command-lines.ts';
import { allCommands, minimalLine } from './test/tree.ts';

const commands = await allCommands();
const paths = commands.map((command) => [command.path, command] as const);
const now = Date.now();

describe('the tree', () => {
  it('reaches every endpoint of the contract but those of providers', async () => {
    const { out } = await runCli(['commands', '--json']);
    const tree = JSON.parse(out) as { endpoints: string[] }[];
    const reached = new Set(tree.flatMap((command) => command.endpoints));
    const wanted = Object.keys(endpoints).filter((name) => !name.startsWith('ingest.'));
    expect([...reached].toSorted()).toEqual(wanted.toSorted());
  });

  it('names every command once, below a noun of its own', () => {
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

  it.each(paths)('%s has no flag that hides a global one', (_, { flags = {} }) => {
    const globals = Object.entries(GLOBAL_FLAGS).flatMap(([name, flag]) => [
      'short' in flag ? flag.short : name,
      name,
    ]);
    const own = Object.entries(flags).flatMap(([name, { short }]) => [name, short]);
    expect(own.filter((name) => globals.includes(name ?? ''))).toEqual([]);
  });

  it.each(paths)('%s --help shows an example, and every example parses', async (path, command) => {
    const { code, out, err } = await runCli([...path.split(' '), '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`$ ${command.examples[0]}`);
    expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([]);
    for (const line of command.examples.flatMap(commandLines)) {
      expect(await parse(line, { nouns, now, width: 80 })).toHaveProperty('command.path');
    }
    const first = commandLines(command.examples[0]).at(-1) ?? [];
    expect(await parse(first, { nouns, now, width: 80 })).toHaveProperty('command.path', path);
  });

  it.each(paths.filter(([, { drains }]) => !drains))('%s without anything ends by itself', async (path) => {
    const { code, err } = await runCli(path.split(' '), { env: { HUBLINE_BASE_URL: 'http://127.0.0.1:1' } });
    // Those look for a server before anything else: there is none.
    const unreachable = { doctor: 9, open: 7, 'server status': 9, 'server stop': 4 }[path];
    expect({ path, err, fine: [0, 2, 3, unreachable].includes(code) }).toMatchObject({ fine: true });
  });

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
    ['fails', () => errorAnswer(500, 'internal_error')],
    ['answers nonsense', () => ({ body: 'nonsense' })],
    [
      'fails behind the first page',
      (query: string | undefined) =>
        query === undefined ? pageAnswer([{ id: 'x' }], 'next') : errorAnswer(500, 'internal_error'),
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
