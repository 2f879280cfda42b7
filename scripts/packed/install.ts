/** Projects outside of the workspace's dependencies: tools too heavy for every clone, and our own packages as tarballs. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.ts';

const run = promisify(execFile);

/** Installs what the `package.json` of the folder names, in place. */
export const npmInstall = (cwd: string): Promise<unknown> =>
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'], { cwd });

/** The dependencies of `scripts/packed/<name>/package.json`, kept in the cache: only the first check of a clone downloads them. */
export async function installOnce(name: string): Promise<string> {
  const wanted = join(root, 'scripts/packed', name, 'package.json');
  const folder = join(root, 'node_modules/.cache/packed', name);
  const installed = join(folder, 'package.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8'))
    return folder;
  rmSync(folder, { recursive: true, force: true });
  // The folder is renamed when it is complete, so that an interrupted install is not taken for a finished one.
  const unfinished = `${folder}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  copyFileSync(wanted, join(unfinished, 'package.json'));
  await npmInstall(unfinished);
  renameSync(unfinished, folder);
  return folder;
}

/** Packs a package as a release would, and returns the tarball. */
export async function pack(name: string, destination: string): Promise<string> {
  const cwd = join(root, 'packages', name);
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', destination], { cwd });
  return (JSON.parse(stdout) as { filename: string }).filename;
}
