/**
 * From a clone, the server serves the dashboard that Vite has built into packages/dashboard/dist. This script builds it if it is
 * missing or older than its sources, which takes a second; otherwise the script takes a few milliseconds.
 *
 *   node scripts/build-dashboard.ts
 */
import { spawnSync } from 'node:child_process';
import { globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.ts';

const folder = join(root, 'packages/dashboard');

/** The inputs of the build. They include the folders themselves, because a deleted file changes only the time of its folder. */
const SOURCES = [
  'pnpm-lock.yaml',
  'scripts/notices.ts',
  'packages/dashboard/{index.html,package.json,vite.config.ts}',
  'packages/{dashboard,sdk}/{src,public}/**',
];

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Builds the dashboard if necessary, and returns the folder with its files. */
export function buildDashboard(): string {
  const dist = join(folder, 'dist');
  const isFresh = (): boolean => {
    const sources = globSync(SOURCES, { cwd: root }).map((path) => changedAt(join(root, path)));
    return changedAt(join(dist, 'index.html')) > Math.max(...sources);
  };
  if (isFresh()) return dist;

  // A complete build replaces the old one: a server may be reading the old one, and another process may be building as well.
  const fresh = join(folder, `.dist-${process.pid}`);
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The dashboard could not be built: vite build ended with ${error?.message ?? status}`);
  }
  // Another process was faster, and a server may be reading what it has built.
  if (isFresh()) {
    rmSync(fresh, { recursive: true, force: true });
    return dist;
  }
  // Moved away whole: removing it file by file fails when another process puts its build there in the meantime.
  const old = `${fresh}-old`;
  try {
    renameSync(dist, old);
  } catch (reason) {
    // There is none, or another process has just moved it.
    if ((reason as NodeJS.ErrnoException).code !== 'ENOENT') throw reason;
  }
  try {
    renameSync(fresh, dist);
  } catch (reason) {
    // Another process has put its build there, from the same sources.
    if (changedAt(join(dist, 'index.html')) === 0) throw reason;
  }
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  return dist;
}

if (import.meta.main) buildDashboard();
