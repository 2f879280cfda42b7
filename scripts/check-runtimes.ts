/**
 * "Runs everywhere" is a claim until it has run everywhere. The SDK and the webhook helper are packed as a release would be,
 * installed in a project outside of this one, and exercised there by Node 22 and 24, Bun, Deno and workerd, as ES modules
 * and as CommonJS; and their declarations are compiled without ours in reach. Needs built packages, npm and its registry.
 */
import { execFile } from 'node:child_process';
import type { ExecFileOptions } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { report } from './report.ts';
import { installOnce, npmInstall, pack } from './packed/install.ts';
import { startPeer } from './packed/peer.ts';
import { root } from './workspace.ts';

const run = promisify(execFile);
const PACKED = ['sdk', 'webhooks'];
const PROGRAMS = join(root, 'packages/sdk/test/runtimes');
const LIMIT_MS = 60_000;

/** A strict project for no runtime in particular, which looks into declarations as well. */
const CONSUMER = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  files: ['worker.ts'],
};

/** Runs a program to its end, and keeps everything it said. */
async function attempt(file: string, args: string[], options: ExecFileOptions) {
  try {
    const { stdout, stderr } = await run(file, args, { ...options, encoding: 'utf8', timeout: LIMIT_MS });
    return { output: `${stdout}${stderr}`, passed: true };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { output: `${stdout}${stderr || String(error)}`, passed: false };
  }
}

/** A project that knows the packages only as tarballs. */
async function installPacked(folder: string): Promise<void> {
  const dependencies: Record<string, string> = {};
  for (const name of PACKED) {
    dependencies[`@hubline/${name}`] = `file:${await pack(name, folder)}`;
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  await npmInstall(folder);
  cpSync(PROGRAMS, folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER));
}

/** A Worker is one file, so it is bundled, for a runtime without any module of Node's. */
async function bundleWorker(folder: string, baseURL: string): Promise<string> {
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
  return config;
}

const problems: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'hubline-runtimes-'));
try {
  await using peer = await startPeer();
  const bin = join(await installOnce('runtimes'), 'node_modules/.bin');
  await installPacked(folder);
  const worker = await bundleWorker(folder, peer.baseURL);
  const env = { ...process.env, HUBLINE_BASE_URL: peer.baseURL, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  const deno = [
    join(bin, 'deno'),
    'run',
    '--quiet',
    '--no-prompt',
    '--allow-net',
    '--allow-env',
    '--allow-read',
  ];
  const commands: readonly (readonly [agent: string, ...command: string[]])[] = [
    ['Node.js/24', process.execPath, 'esm.ts'],
    ['Node.js/24', process.execPath, 'cjs.cts'],
    ['Node.js/22', join(bin, 'node'), 'esm.ts'],
    ['Node.js/22', join(bin, 'node'), 'cjs.cts'],
    ['Bun', join(bin, 'bun'), 'esm.ts'],
    ['Bun', join(bin, 'bun'), 'cjs.cts'],
    ['Deno', ...deno, 'esm.ts'],
    ['Deno', ...deno, 'cjs.cts'],
    ['Cloudflare-Workers', join(bin, 'workerd'), 'test', worker],
  ];
  for (const [agent, file = '', ...args] of commands) {
    const name = `${agent} ${basename(args.at(-1) ?? '')}`;
    const { output, passed } = await attempt(file, args, { cwd: folder, env });
    // A program that says nothing has not run to its end, and one that runs elsewhere proves nothing.
    const said = /\d+ checks on \S+/.exec(output)?.[0] ?? '';
    if (passed && said.includes(agent)) console.log(`${name}: ${said}`);
    else problems.push(`${name} failed: ${output}`);
  }
  const { output, passed } = await attempt(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    cwd: folder,
  });
  if (!passed) problems.push(`The declarations do not stand alone: ${output}`);
} finally {
  rmSync(folder, { recursive: true });
}
report(problems, `Runtimes with ${PACKED.map((name) => `@hubline/${name}`).join(' and ')}`);
