/**
 * From a clone, the server serves the dashboard that Vite has built into packages/dashboard/dist. This builds it where it is
 * missing or older than what it is made of, which takes a second; otherwise it takes a few milliseconds.
 *
 *   node scripts/build-dashboard.ts
 */
import { spawnSync } from 'node:child_process';
import { globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.ts';

const folder = join(root, 'packages/dashboard');

/** The inputs of the build. With the folders themselves, since a file that is gone leaves its trace only there. */
const SOURCES = [
  'pnpm-lock.yaml',
  'packages/dashboard/{index.html,package.json,vite.config.ts}',
  'packages/{dashboard,sdk}/{src,public}/**',
];

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The folder with the dashboard's files, up to date. */
export function buildDashboard(): string {
  const dist = join(folder, 'dist');
  const isFresh = (): boolean => {
    const sources = globSync(SOURCES, { cwd: root }).map((path) => changedAt(join(root, path)));
    return changedAt(join(dist, 'index.html')) > Math.max(...sources);
  };
  if (isFresh()) return dist;

  // Beside, and put in place when it is complete: a server may be reading the old one, another process building as well.
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
  rmSync(dist, { recursive: true, force: true });
  try {
    renameSync(fresh, dist);
  } catch (reason) {
    // Another process has put its own there in the meantime, made of the same.
    if (changedAt(join(dist, 'index.html')) === 0) throw reason;
    rmSync(fresh, { recursive: true, force: true });
  }
  return dist;
}

if (import.meta.main) buildDashboard();
