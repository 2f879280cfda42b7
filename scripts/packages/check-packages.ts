/**
 * The published form differs from the sources: it has another export map and only `dist`. So every package is packed as for a
 * release, publint and attw check the tarball, and every entry of it is loaded.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { NOTICES } from '../notices.ts';
import { report } from '../report.ts';
import { hasSources, REPOSITORY, root, workspacePackages } from '../workspace.ts';
import type { Manifest, WorkspacePackage } from '../workspace.ts';

const run = promisify(execFile);

/** The output of a command that fails; nothing if it succeeds. */
async function complaint(cwd: string, command: string, args: readonly string[]): Promise<string[]> {
  try {
    await run(command, args, { cwd });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return [`${command} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? String(error)}`];
  }
}

/** The published export map is the development one without the condition that names sources. */
function exportProblems({ name, exports = {}, publishConfig }: Manifest): string[] {
  const published = Object.fromEntries(
    Object.entries(exports).map(([subpath, target]) => {
      if (typeof target === 'string') return [subpath, target];
      const { 'hubline-source': _, ...conditions } = target;
      return [subpath, conditions];
    }),
  );
  const same = isDeepStrictEqual(published, publishConfig?.exports ?? {});
  return same ? [] : [`${name}: publishConfig.exports must be exports without "hubline-source"`];
}

/** Packages that contain the code of others: the file with its licenses, and a package in it. */
const NOTICED: Readonly<Record<string, readonly [file: string, name: string]>> = {
  '@hubline/cli': [`dist/${NOTICES}`, 'commander'],
  '@hubline/sdk': [`dist/${NOTICES}`, 'ky'],
  '@hubline/server': [`dist/dashboard/${NOTICES}`, '@fontsource-variable/inter'],
};

/** The license texts that a packed package lacks. */
function noticeProblems(name: string, unpacked: string): string[] {
  const [file, inside] = NOTICED[name] ?? [];
  if (file === undefined) return [];
  const path = join(unpacked, file);
  const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(`${inside} `);
  return isThere ? [] : [`${file} must have the license of ${inside}, which is inside`];
}

const changelogOf = (path: string): string => {
  const file = join(path, 'CHANGELOG.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** npm shows who made a package and where to report problems, if the manifest says so. */
function metadataProblems({ folder, path, manifest }: WorkspacePackage): string[] {
  const { name, version, keywords = [], homepage, bugs, repository } = manifest;
  const directory = `packages/${folder}`;
  const expected = {
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory },
  };
  return [
    ...(isDeepStrictEqual({ homepage, bugs, repository }, expected)
      ? []
      : [`${name}: homepage, bugs and repository must be ${JSON.stringify(expected)}`]),
    ...(keywords.includes('hubline') ? [] : [`${name}: keywords must include "hubline"`]),
    ...(changelogOf(path).includes(`\n## ${version}\n`)
      ? []
      : [`${name}: CHANGELOG.md has no section ${version}`]),
    ...(existsSync(join(path, 'README.md')) ? [] : [`${name}: has no README.md, which is its page on npm`]),
  ];
}

async function packedProblems(pkg: WorkspacePackage): Promise<string[]> {
  // Inside the package, so that the unpacked files find the same dependencies as an installed package would.
  const folder = join(pkg.path, 'node_modules/.cache/packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('pnpm', ['pack', '--pack-destination', folder], { cwd: pkg.path });
  const tarball = globSync('*.tgz', { cwd: folder })[0] ?? 'no tarball';
  await run('tar', ['-xzf', tarball], { cwd: folder });

  const subpaths = Object.entries(pkg.manifest.exports ?? {}).filter(
    ([, target]) => typeof target === 'object',
  );
  const requires = subpaths.some(([, target]) => typeof target === 'object' && 'require' in target);
  const attw = [tarball, '--profile', requires ? 'node16' : 'esm-only', '--no-emoji', '--no-color'];
  const unpacked = join(folder, 'package');
  const load = (type: string, code: string) =>
    complaint(unpacked, 'node', [`--input-type=${type}`, '-e', code]);
  const names = JSON.stringify(subpaths.map(([subpath]) => join(pkg.manifest.name, subpath)));
  const checks = [complaint(folder, 'publint', ['run', tarball, '--strict'])];
  // A package without an export map is a command: there are no types to get wrong.
  if (subpaths.length > 0) {
    checks.push(complaint(folder, 'attw', attw));
    checks.push(load('module', `for (const name of ${names}) await import(name)`));
  }
  if (requires) checks.push(load('commonjs', `${names}.forEach((name) => require(name))`));
  // The program of a sender's thread is a separate file, which nothing imports.
  if (pkg.manifest.name === '@hubline/server') {
    const start = `const { Worker } = await import('node:worker_threads');
      const workerData = { userAgent: 'check', allowHttpLocalhost: false, asksForNames: false };
      const sender = new Worker('./dist/sender-thread.js', { workerData, execArgv: [] });
      const [message] = await (await import('node:events')).once(sender, 'message');
      if (message !== 'ready') throw new Error(String(message));
      await sender.terminate();`;
    checks.push(load('module', start));
  }
  for (const bin of Object.values(pkg.manifest.bin ?? {}))
    checks.push(complaint(unpacked, 'node', [bin, '--version']));
  const found = [...noticeProblems(pkg.manifest.name, unpacked), ...(await Promise.all(checks)).flat()];
  return found.map((problem) => `${pkg.manifest.name}: ${problem}`);
}

const published = workspacePackages().filter((pkg) => pkg.manifest.private !== true && hasSources(pkg));
const problems = published.flatMap((pkg) => [...exportProblems(pkg.manifest), ...metadataProblems(pkg)]);
for (const pkg of published) {
  if (existsSync(join(pkg.path, 'dist')) || pkg.manifest.scripts?.['build'] === undefined)
    problems.push(...(await packedProblems(pkg)));
  else problems.push(`${pkg.manifest.name} is not built: run \`pnpm build\``);
}
report(problems, `${published.length} packed packages in ${root}`);
