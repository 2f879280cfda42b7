/** The cache of packages for other systems, which an installation of the workspace does not include. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Refusal } from './script.ts';

const cache = join(import.meta.dirname, '../node_modules/.cache/npm');

/** Returns the folder of a package, which is downloaded only once. */
export function fromNpm(packageName: string, version: string): string {
  const folder = folderOf(packageName, version);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // A package gets its final name only when it is complete.
  const fresh = mkdtempSync(join(cache, 'fresh-'));
  try {
    const wanted = `${packageName}@${version}`;
    const { stdout, stderr, status } = spawnSync('npm', ['pack', wanted], { cwd: fresh, encoding: 'utf8' });
    const tarball = stdout?.trim().split('\n').at(-1);
    if (status !== 0 || !tarball) throw new Refusal(`npm could not download ${wanted}: ${stderr}`);
    execFileSync('tar', ['xzf', tarball], { cwd: fresh });
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(join(fresh, 'package'), folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

export function isFetched(packageName: string, version: string): boolean {
  return existsSync(folderOf(packageName, version));
}

/** The versions of a package that npm has. */
export function versionsOn(packageName: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync('npm', ['view', packageName, 'versions', '--json'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Refusal(`npm could not list the versions of ${packageName}: ${stderr}`);
  return [JSON.parse(stdout) as string | string[]].flat();
}

function folderOf(packageName: string, version: string): string {
  return join(cache, `${basename(packageName)}-${version}`, 'package');
}
