/**
 * Users who do not use our SDK generate a client from the OpenAPI document. Two generators do that here. The programs of the guide
 * about them are compiled with the generated clients, and run against a real server.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { startTestServer } from '../../packages/server/src/testing/testing.ts';
import { readMarkdown } from '../docs/markdown.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

const run = promisify(execFile);
// Generating and compiling take a few seconds each; the machine may be busy with other things.
const LIMIT_MS = 120_000;
const GUIDE = 'docs/guides/generated-clients.md';
const DOCUMENT = join(root, 'packages/contract/openapi.json');

interface Client {
  readonly generate: readonly [command: string, ...args: string[]];
  /** The beginnings of the lines that the program must print, in any order. */
  readonly prints: readonly string[];
}

/** The mark of a program's fences in the guide → how its client is made, and what the program says when it works. */
const CLIENTS: Readonly<Record<string, Client>> = {
  'openapi-fetch': {
    generate: ['openapi-typescript', DOCUMENT, '--output', 'hubline.ts'],
    prints: ['published evt_', 'refused 400', 'listed deploy', 'ingested accepted', 'received message from'],
  },
  'hey-api': {
    generate: ['openapi-ts', '--input', DOCUMENT, '--output', 'hubline', '--silent'],
    prints: [
      'published evt_',
      'refused 400',
      'listed deploy',
      'ingested accepted',
      'streamed',
      'received push',
    ],
  },
};

/** The configuration of a strict user, without `exactOptionalPropertyTypes`, under which code of Hey API does not compile. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['*/*.ts'],
};

const { fences } = readMarkdown(GUIDE, readFileSync(join(root, GUIDE), 'utf8'));

/** Generates a client, and puts its program into the same folder. */
async function prepare(
  folder: string,
  name: string,
  { generate: [command, ...args] }: Client,
): Promise<string> {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  await run(command, args, { cwd, timeout: LIMIT_MS });
  const program = fences.filter(({ meta }) => meta === name).map(({ code }) => code);
  writeFileSync(join(cwd, 'program.ts'), program.join('\n'));
  return cwd;
}

/** Runs a program. Returns the lines that it did not print. */
async function problemsOf(cwd: string, { prints }: Client, env: NodeJS.ProcessEnv): Promise<string[]> {
  const outfile = join(cwd, 'program.mjs');
  await build({
    entryPoints: [join(cwd, 'program.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  const { stdout } = await run(process.execPath, [outfile], { env, timeout: LIMIT_MS });
  const lines = stdout.split('\n');
  return prints
    .filter((beginning) => !lines.some((line) => line.startsWith(beginning)))
    .map((beginning) => `${cwd} did not print "${beginning}", but\n${stdout}`);
}

const problems: string[] = [];
// Inside the root, so that the programs find the packages that they import.
const folder = mkdtempSync(join(root, '.clients-'));
try {
  const clients = Object.entries(CLIENTS);
  const folders = await Promise.all(clients.map(([name, client]) => prepare(folder, name, client)));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await run('tsc', ['--project', folder], { timeout: LIMIT_MS });
  for (const [index, [, client]] of clients.entries()) {
    await using server = await startTestServer();
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      HUBLINE_BASE_URL: server.baseUrl,
      HUBLINE_API_KEY: server.apiKey,
      HUBLINE_WORKSPACE_ID: server.workspaceId,
    };
    problems.push(...(await problemsOf(folders[index] ?? '', client, env)));
  }
} catch (error) {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  problems.push(`${stdout}${stderr}` || String(error));
} finally {
  rmSync(folder, { recursive: true });
}
report(problems, `Generated clients (${Object.keys(CLIENTS).join(', ')})`);
