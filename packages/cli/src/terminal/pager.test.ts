import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { testIo } from '../test/test-io.ts';
import { startPager } from './pager.ts';

const PATH = process.env['PATH'] ?? '';
const people = Array.from({ length: 40 }, (_, index) => ({
  user_id: `usr_${index}`,
  email: `user-${index}@acme.test`,
  role: 'member',
  id: `x_${index}`,
  created_at: '2026-01-01T00:00:00.000Z',
  status: 'active',
}));

/** Runs a command line on a terminal, with real pagers. Returns the commands that were started, and the text that went through them. */
async function onTerminal(
  line: readonly string[],
  { env = {}, tty = true }: { env?: Readonly<Record<string, string>>; tty?: boolean } = {},
) {
  const api = await fakeApi(() => pageResponse(people));
  const started: string[] = [];
  const io = testIo({ tty });
  const { code, out, err } = await runCli(line, {
    io,
    env: { ...api.env, ...env },
    pager: (command) => {
      started.push(command);
      return startPager(command, { PATH, ...env });
    },
  });
  return { code, out, err, started };
}

describe.skipIf(process.platform === 'win32')('more than a screen on a terminal', () => {
  it.each([
    [['member', 'list', '--all', '--color=never'], 'user-39@acme.test'],
    [['member', 'list', '--all', '--json'], '"user-39@acme.test"'],
    [['help', 'environment', '--color=never', '-o', 'json'], 'HUBLINE_PAGER'],
    [['help', 'scripting'], 'hubline help exit-codes'],
    [['--help'], 'Learn more:'],
    [['member', 'invite', '--help'], 'Examples:'],
  ])('%j goes through the pager, as a whole', async (line, end) => {
    const file = join(await temporaryDirectory(), 'seen');
    const env = { HUBLINE_PAGER: `cat > '${file}'` };
    const { code, out, started } = await onTerminal(line, { env });
    expect({ code, out, started }).toEqual({ code: 0, out: '', started: [env.HUBLINE_PAGER] });
    const direct = await onTerminal([...line, '--no-pager'], { env });
    expect(direct).toMatchObject({ code: 0, started: [] });
    expect(readFileSync(file, 'utf8')).toBe(direct.out);
    expect(direct.out).toContain(end);
  });

  it.each([
    ['what fits on the screen', ['config', 'path'], {}],
    ['an empty HUBLINE_PAGER', ['--help'], { HUBLINE_PAGER: '', PAGER: 'false' }],
    ['cat', ['--help'], { PAGER: 'cat' }],
    ['CI', ['--help'], { CI: '1' }],
    ['a terminal that cannot go back', ['--help'], { TERM: 'dumb' }],
    ['what goes on', ['delivery', 'tail', '--limit=40', '--since=1h'], { HUBLINE_PAGER: 'false' }],
  ] as const)('needs none for %s', async (_, line, env) => {
    const { started, out } = await onTerminal(line, { env });
    expect({ started, printed: out.length > 0 }).toEqual({ started: [], printed: true });
  });

  it('needs none in a pipe', async () => {
    expect(await onTerminal(['member', 'list', '--all'], { tty: false })).toMatchObject({
      code: 0,
      started: [],
    });
  });

  it('is printed directly where there is no such program', async () => {
    const { code, out, started } = await onTerminal(['member', 'list', '--all'], {
      env: { PAGER: 'no-such-pager -x' },
    });
    expect({ code, started }).toEqual({ code: 0, started: ['no-such-pager -x'] });
    expect(out).toContain('user-39@acme.test');
  });

  it('ends quietly, with 0, when the pager is left early, and fetches no more', async () => {
    let pages = 0;
    const api = await fakeApi(() => pageResponse(people, String((pages += 1))));
    const { code, out, err } = await runCli(['member', 'list', '--all', '--ndjson'], {
      io: testIo({ tty: true }),
      env: api.env,
      pager: () => startPager('head -1 > /dev/null', { PATH }),
    });
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  });

  it('sets the options of less, unless the user did', async () => {
    const file = join(await temporaryDirectory(), 'seen');
    const env = { HUBLINE_PAGER: `printenv LESS LV > '${file}'; cat > /dev/null` };
    await onTerminal(['--help'], { env });
    expect(readFileSync(file, 'utf8')).toBe('FRX\n-c\n');
    await onTerminal(['--help'], { env: { ...env, LESS: '-S', LV: '-x' } });
    expect(readFileSync(file, 'utf8')).toBe('-S\n-x\n');
  });
});

describe('the pager', () => {
  const explained = async (env: Readonly<Record<string, string>>, ...more: string[]) => {
    const { out } = await runCli(
      ['config', 'explain', '--jq', '.[] | select(.setting == "pager")', ...more],
      {
        env,
      },
    );
    return JSON.parse(out) as unknown;
  };

  it('is that of the flag, HUBLINE_PAGER, the configuration, PAGER, or less', async () => {
    const env = { HUBLINE_CONFIG_DIR: await temporaryDirectory(), PAGER: 'more' };
    const setting = 'pager';
    expect(await explained({ ...env, PAGER: ' ' })).toEqual({ setting, value: 'cat', source: 'PAGER' });
    expect(await explained(env)).toEqual({ setting, value: 'more', source: 'PAGER' });
    await runCli(['config', 'set', 'pager', 'less -S'], { env });
    expect(await explained(env)).toEqual({ setting, value: 'less -S', source: 'configuration' });
    const own = { ...env, HUBLINE_PAGER: 'most' };
    expect(await explained(own)).toEqual({ setting, value: 'most', source: 'HUBLINE_PAGER' });
    expect(await explained(own, '--no-pager')).toEqual({ setting, value: 'cat', source: '--no-pager' });
  });
});
