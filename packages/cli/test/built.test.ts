import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nouns } from '../src/commands/registry.ts';
import { rootHelp } from '../src/generated/root-help.ts';
import { fakeApi, pageResponse } from '../src/test/fake-api.ts';
import { runCli } from '../src/test/run-cli.ts';

const root = join(import.meta.dirname, '..');
// Below the package, so that packages outside the build are found as after an installation.
const out = join(root, 'node_modules', '.cache', `built-${process.pid}`);
const probe = join(out, 'probe.cjs');

/** Writes at the end what was loaded: Node's own modules, and files. */
const PROBE = `const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const builtin = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ') && !before.has(name));
  const files = Object.keys(require.cache).filter((name) => name !== __filename);
  require('node:fs').writeFileSync(process.env.PROBE_OUT, JSON.stringify({ builtin, files }));
});
`;

beforeAll(() => {
  const tsup = join(root, '..', '..', 'node_modules', 'tsup', 'dist', 'cli-default.js');
  execFileSync(process.execPath, [tsup, '--out-dir', out], { cwd: root, stdio: 'pipe' });
  writeFileSync(probe, PROBE);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const environment = { PATH: process.env['PATH'], HUBLINE_CONFIG_DIR: join(out, 'config') };

/** Runs the built program. */
function built(line: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(out, 'bin.cjs'), ...line], {
    env: { ...environment, ...env },
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** The modules that a command line loads. Its server is in this process, which must not block while it waits. */
async function loaded(line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { promisify } = await import('node:util');
  const { execFile } = await import('node:child_process');
  const report = join(out, 'loaded.json');
  await promisify(execFile)(process.execPath, ['--require', probe, join(out, 'bin.cjs'), ...line], {
    env: { ...environment, PROBE_OUT: report, ...env },
  });
  const { builtin, files } = JSON.parse(readFileSync(report, 'utf8')) as Record<
    'builtin' | 'files',
    string[]
  >;
  return { builtin: builtin.map((name) => name.replace('NativeModule ', '')), files };
}

describe('the built program loads', () => {
  it('next to nothing for --version and --help', async () => {
    const version = await loaded(['--version']);
    expect({ files: version.files.length, builtin: version.builtin }).toEqual({ files: 4, builtin: [] });
    const help = await loaded(['--help']);
    expect({ files: help.files.length, builtin: help.builtin }).toEqual({ files: 5, builtin: [] });
  });

  it('for a request only what it needs, and no modules that are known to be slow', async () => {
    const api = await fakeApi(() => pageResponse([{ id: 'ws_1' }]));
    const { builtin, files } = await loaded(['workspace', 'list'], api.env);
    // The entry with its version and helpers, the code that makes directories, the shared code, and the noun.
    expect(files.length).toBeLessThanOrEqual(6);
    // 44 with Node 24: streams, net and http make most of them.
    expect(builtin.length).toBeLessThanOrEqual(60);
    const slow = ['crypto', 'child_process', 'fs/promises', 'https', 'tls', 'readline', 'worker_threads'];
    expect(builtin.filter((name) => slow.includes(name) || name.includes('undici'))).toEqual([]);
  });

  it('one noun, and no parser, to complete a word', async () => {
    const { builtin, files } = await loaded(['__complete', 'member', '']);
    expect(files.length).toBeLessThanOrEqual(7);
    expect(builtin).not.toContain('http');
  });
});

describe('what the built program compiled', () => {
  const cache = join(out, 'cache');
  const env = { XDG_CACHE_HOME: cache };
  const kept = () =>
    readdirSync(join(cache, 'hubline'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(cache, 'hubline', name));
  const expected = { code: 0, out: `${join(out, 'config', 'config.json')}\n`, err: '' };

  it('is kept for the next start, for its user only, and grows with what is needed', () => {
    expect(built(['config', 'path'], env)).toEqual(expected);
    const [file = '', ...more] = kept();
    expect(more).toEqual([]);
    const first = statSync(file);
    if (process.platform !== 'win32') expect(first.mode & 0o077).toBe(0);
    expect(built(['config', 'path'], env)).toEqual(expected);
    expect(statSync(file).ino).toBe(first.ino);
    expect(
      built(['whoami', '--base-url=http://127.0.0.1:1', '--retries=0'], { ...env, HUBLINE_API_KEY: 'hl_x' })
        .code,
    ).toBe(7);
    expect(kept()).toEqual([file]);
    expect(statSync(file).size).toBeGreaterThan(first.size);
  });

  it('does not matter when it is damaged, or cannot be kept', () => {
    const [file = ''] = kept();
    writeFileSync(file, 'nonsense');
    expect(built(['config', 'path'], env)).toEqual(expected);
    expect(statSync(file).size).toBeGreaterThan(10_000);
    expect(built(['config', 'path'], { XDG_CACHE_HOME: file })).toEqual(expected);
    expect(built(['config', 'path'])).toEqual(expected);
  });
});

describe('the built program', () => {
  it('prints the root help as the parser would', async () => {
    expect(built(['--help'])).toEqual({ code: 0, out: rootHelp, err: '' });
    expect((await runCli(['--help'])).out).toBe(rootHelp);
    expect(built([])).toEqual(built(['help']));
  });

  it.each(nouns.map(({ name }) => [name]))('has all of %s', async (noun) => {
    expect(built([noun, '--help'])).toEqual(await runCli([noun, '--help']));
  });

  it.each([
    [['help', 'exit-codes', '-o', 'yaml'], '- code: 0\n'],
    [['help', 'exit-codes', '--jq', '.[0].code'], '0\n'],
    [['trigger', 'push', '--print', '--jq=.source'], 'github\n'],
    [['help', 'exit-codes', '-o', 'table'], 'CODE  MEANING'],
    [['listen', '--print-secret'], 'whsec_'],
  ])('%j works with modules that are loaded late', (line, start) => {
    const { code, out: text } = built(line);
    expect({ code, start: text.slice(0, start.length) }).toEqual({ code: 0, start });
  });

  it('reads CSV', () => {
    const { code, err } = built(['member', 'invite', '--file=-'], {}, '"');
    expect({ code, csv: err.includes('is not CSV') }).toEqual({ code: 2, csv: true });
  });
});
