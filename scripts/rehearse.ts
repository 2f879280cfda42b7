/**
 * The rehearsal of a release: versions, changelogs, builds and packages are made as on the day itself, in a copy of the tree, and published
 * to a registry on this machine. A newcomer then gets them from there: a server by npx in an empty folder, and the SDK and the webhook
 * helper in a project of ES modules, of CommonJS and of TypeScript. Nothing in this tree changes. Needs npm and its registry.
 *
 *   npx -y pnpm@12 rehearse
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { copyTree } from './rehearsal/copy-tree.ts';
import { runProjects } from './rehearsal/projects.ts';
import { startRegistry } from './rehearsal/registry.ts';
import { run, timed } from './rehearsal/run.ts';
import { workspacePackages } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'hubline-rehearsal-'));
const copy = join(folder, 'copy');
const newcomer = join(folder, 'newcomer');
const began = performance.now();

try {
  mkdirSync(copy);
  mkdirSync(newcomer);
  await using registry = await timed('registry', () => startRegistry(folder));
  const version = await release(registry.url);
  await timed('install and run', () => install(registry.url, version));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`The release was rehearsed in ${((performance.now() - began) / 1_000).toFixed(0)} s`);

/** Publishes the copy as a release would be, and returns its version. */
async function release(url: string): Promise<string> {
  await timed('copy', async () => copyTree(copy));
  // npm wants a token for every registry, even for one that needs none.
  const token = `//${new URL(url).host}/:_authToken=rehearsal`;
  writeFileSync(join(copy, '.npmrc'), `registry=${url}\n${token}\n`);
  const at = { cwd: copy, env: { ...process.env, CI: 'true', NODE_OPTIONS: '' } };
  // Adds a changeset, because there may be nothing to release today.
  writeFileSync(join(copy, '.changeset/rehearsal.md'), "---\n'@hubline/sdk': patch\n---\n\nThe rehearsal.\n");
  await timed('pnpm install', () => run(['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'], at));
  await timed('pnpm release:prepare', () => run(['pnpm', 'release:prepare'], at));
  await timed('pnpm release', () => run(['pnpm', 'release'], at));
  await timed('pnpm build:sbom', () => run(['pnpm', 'build:sbom'], at));

  const published = workspacePackages().filter(({ manifest }) => manifest.private !== true);
  const versions = new Set<string>();
  for (const { manifest, folder: name } of published) {
    const path = join(copy, 'packages', name);
    const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string };
    versions.add(version);
    if (!readFileSync(join(path, 'CHANGELOG.md'), 'utf8').includes(`## ${version}\n`))
      throw new Error(`${manifest.name}: CHANGELOG.md has no section ${version}`);
    const response = await fetch(`${url}/${manifest.name}/${version}`);
    if (!response.ok) throw new Error(`${manifest.name}@${version} was not published: ${response.status}`);
  }
  const [version = '', ...others] = versions;
  if (others.length > 0) throw new Error(`The packages have several versions: ${[...versions].join(', ')}`);
  console.log(`  published ${version} of ${published.map(({ manifest }) => manifest.name).join(', ')}`);
  return version;
}

/** The environment without the variables that the clone and its package manager set. */
function environmentOfUser(): NodeJS.ProcessEnv {
  const ours = /^(?:npm_|pnpm_|hubline_|node_options$|init_cwd$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Runs the published packages, as on a machine that has nothing of ours. */
async function install(url: string, version: string): Promise<void> {
  const env = {
    ...environmentOfUser(),
    HUBLINE_CONFIG_DIR: newcomer,
    HUBLINE_KEYCHAIN: 'off',
    npm_config_registry: url,
    // A separate cache: otherwise npx would take today's packages for the release on the next day.
    npm_config_cache: join(folder, 'npm'),
  };
  const at = { cwd: newcomer, env };
  const hubline = ['npx', '--yes', 'hubline'] as const;
  const found = (await run([...hubline, '--version'], at)).trim();
  if (found !== version) throw new Error(`npx hubline is ${found}, not ${version}`);

  const owner = ['--email', 'ada@example.com', '--name', 'Acme', '--slug', 'acme', '--yes', '--json'];
  const { api_key: key } = JSON.parse(await run([...hubline, 'server', 'bootstrap', ...owner], at)) as {
    api_key: string;
  };
  const [program, ...line] = hubline;
  const flags = ['server', 'start', '--port', '0', '--allow-http-localhost', '--json'];
  const server = spawn(program, [...line, ...flags], { ...at, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  try {
    const [first] = (await Promise.race([
      once(createInterface(server.stdout), 'line'),
      ended.then(([code]) => {
        throw new Error(`npx hubline server start ended with ${String(code)}`);
      }),
    ])) as [string];
    const { base_url: baseUrl, pid } = JSON.parse(first) as { base_url: string; pid: number };
    try {
      await runProjects(newcomer, { ...env, HUBLINE_BASE_URL: baseUrl, HUBLINE_API_KEY: key });
    } finally {
      // The signal goes to the server itself, because npx would not pass it on.
      process.kill(pid, 'SIGTERM');
    }
  } finally {
    await ended;
  }
}
