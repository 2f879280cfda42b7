/**
 * "Runs everywhere" is a claim until it has run everywhere. The SDK and the webhook helper are packed as a release would be,
 * installed in a project outside of this one, and exercised there by Node 22 and 24, Bun, Deno and workerd, as ES modules
 * and as CommonJS, and under Jest and Vitest. Their declarations are compiled, without access to our sources, in each way to
 * resolve modules. Needs built packages, npm and its registry.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, transformSync } from 'esbuild';
import { report } from '../report.ts';
import { installOnce, npmInstall, pack } from '../packed/install.ts';
import { startPeer } from '../packed/peer.ts';
import { root } from '../workspace.ts';

const run = promisify(execFile);
const PACKED = ['sdk', 'webhooks'];
const PROGRAMS = join(root, 'packages/sdk/test/runtimes');
const LIMIT_MS = 120_000;

/** A command that must pass, and the text that its output must show: a command that prints nothing has not run to its end. */
interface Check {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  readonly shows?: RegExp;
}

const folder = mkdtempSync(join(tmpdir(), 'hubline-runtimes-'));

/** Makes a project that has the packages only as tarballs. */
async function installPacked(): Promise<void> {
  const tarballs = await Promise.all(PACKED.map((name) => pack(name, folder)));
  const dependencies = Object.fromEntries(
    PACKED.map((name, index) => [`@hubline/${name}`, `file:${tarballs[index]}`]),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  await npmInstall(folder);
  cpSync(PROGRAMS, folder, { recursive: true });
}

/** Node 22 and 24, Bun and Deno run the programs as they are. Each program prints its runtime, to prove that it ran there. */
function runtimes(bin: string): Check[] {
  const deno = ['run', '--quiet', '--no-prompt', '--allow-net', '--allow-env', '--allow-read'];
  const agents: readonly (readonly [agent: string, file: string, ...args: string[]])[] = [
    ['Node.js/24', process.execPath],
    ['Node.js/22', join(bin, 'node')],
    ['Bun', join(bin, 'bun')],
    ['Deno', join(bin, 'deno'), ...deno],
  ];
  return agents.flatMap(([agent, file, ...args]) =>
    ['esm.ts', 'cjs.cts'].map((program): Check => ({
      name: `${agent} ${program}`,
      command: [file, ...args, program],
      shows: new RegExp(`\\d+ checks on ${agent}`),
    })),
  );
}

/** A Worker is one file, so it is bundled, for a runtime without any module of Node's. */
async function workerd(bin: string, baseURL: string): Promise<Check> {
  await build({
    entryPoints: [join(folder, 'worker.ts')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    logLevel: 'silent',
  });
  const config = join(folder, 'worker.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      bindings = [(name = "HUBLINE_BASE_URL", text = "${baseURL}")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
);
`,
  );
  return {
    name: 'Cloudflare-Workers',
    command: [join(bin, 'workerd'), 'test', config],
    shows: /\d+ checks on Cloudflare-Workers/,
  };
}

/** Jest loads CommonJS, in its own realm: plain, by Babel, by TypeScript, and in jsdom with and without the web's classes. */
function jest(bin: string, tool: (name: string) => string): Check {
  const transform = (file: string, format: 'cjs' | 'esm') =>
    transformSync(readFileSync(join(folder, file), 'utf8'), { loader: 'ts', format }).code;
  writeFileSync(join(folder, 'exercise.cjs'), transform('exercise.ts', 'cjs'));
  writeFileSync(join(folder, 'set-up.cjs'), `globalThis.exercise = require('./exercise.cjs').exercise;\n`);
  writeFileSync(join(folder, 'plain.cjs'), transform('in-test-runner.ts', 'cjs'));
  // The setup of jest-fixed-jsdom: jsdom with Node's web classes.
  const web = [
    'fetch',
    'Request',
    'Response',
    'Headers',
    'TextEncoder',
    'TextDecoder',
    'ReadableStream',
    'AbortController',
    'AbortSignal',
    'crypto',
    'Uint8Array',
    'ArrayBuffer',
  ];
  writeFileSync(
    join(folder, 'jsdom-with-web.cjs'),
    `const { TestEnvironment } = require(${JSON.stringify(tool('jest-environment-jsdom'))});
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of ${JSON.stringify(web)})
      Object.defineProperty(this.global, name, { value: globalThis[name], writable: true, configurable: true });
  }
};
`,
  );
  const presets = [
    [tool('@babel/preset-env'), { targets: { node: 'current' } }],
    tool('@babel/preset-typescript'),
  ];
  // A CommonJS project. The compiler checks its types, below.
  const tsconfig = { module: 'commonjs', target: 'es2022', esModuleInterop: true, isolatedModules: true };
  const project = (displayName: string, testMatch: string, rest: object = {}) => ({
    displayName,
    rootDir: folder,
    testMatch: [`<rootDir>/${testMatch}`],
    testEnvironment: tool('jest-environment-node'),
    setupFiles: ['<rootDir>/set-up.cjs'],
    transform: {},
    ...rest,
  });
  const projects = [
    project('plain', 'plain.cjs'),
    project('babel-jest', 'in-test-runner.ts', {
      transform: { '\\.ts$': [tool('babel-jest'), { presets, babelrc: false, configFile: false }] },
    }),
    project('ts-jest', 'in-test-runner.ts', {
      transform: { '\\.ts$': [tool('ts-jest'), { tsconfig }] },
    }),
    project('jsdom', 'in-jsdom.cjs', { testEnvironment: tool('jest-environment-jsdom'), setupFiles: [] }),
    project('jsdom with web classes', 'plain.cjs', { testEnvironment: '<rootDir>/jsdom-with-web.cjs' }),
  ];
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify({ projects }));
  const args = [
    '--config',
    'jest.config.json',
    '--ci',
    '--cacheDirectory',
    join(folder, '.jest'),
    // Each worker would load the compilers again.
    '--runInBand',
  ];
  // Runs on Node 22: newer versions let Jest require ES modules, which would hide that one was shipped instead of CommonJS.
  return {
    name: `Jest: ${projects.map(({ displayName }) => displayName).join(', ')}`,
    command: [join(bin, 'node'), tool('jest/bin/jest.js'), ...args],
    shows: new RegExp(`Test Suites: ${projects.length} passed, ${projects.length} total`),
  };
}

function vitest(tool: (name: string) => string): Check {
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { globals: true, include: ['in-test-runner.ts'], setupFiles: ['./set-up.cjs'] } };\n`,
  );
  return {
    name: 'Vitest',
    command: [process.execPath, tool('vitest/vitest.mjs'), 'run', '--root', folder],
    shows: /1 passed/,
  };
}

/** Runs a check to its end, and returns its problems. */
async function problemsOf(
  { name, command: [file, ...args], shows = /^/ }: Check,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const began = performance.now();
  const { output, failed } = await run(file, args, { cwd: folder, env, timeout: LIMIT_MS }).then(
    ({ stdout, stderr }) => ({ output: stdout + stderr, failed: false }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ output: stdout + stderr, failed: true }),
  );
  if (failed || !shows.test(output))
    return [`${name} ${failed ? 'failed' : 'did not run to its end'}:\n${output}`];
  console.log(`${name}: passed in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return [];
}

const problems: string[] = [];
try {
  await using peer = await startPeer();
  const [tools] = await Promise.all([installOnce('runtimes'), installPacked()]);
  const bin = join(tools, 'node_modules/.bin');
  const tool = (name: string) => join(tools, 'node_modules', name);
  cpSync(join(folder, 'types.ts'), join(folder, 'types.cts'));
  const queue: Check[] = [
    jest(bin, tool),
    vitest(tool),
    ...runtimes(bin),
    await workerd(bin, peer.baseURL),
    {
      name: 'Declarations',
      command: [process.execPath, join(root, 'scripts/packed/compile.ts'), folder, tools],
    },
  ];
  const env = { ...process.env, HUBLINE_BASE_URL: peer.baseURL, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  // Two at a time: most of them wait for their retries.
  const slot = async (): Promise<void> => {
    for (let check = queue.shift(); check; check = queue.shift())
      problems.push(...(await problemsOf(check, env)));
  };
  await Promise.all([slot(), slot()]);
} finally {
  rmSync(folder, { recursive: true });
}
report(problems, `Runtimes with ${PACKED.map((name) => `@hubline/${name}`).join(' and ')}`);
