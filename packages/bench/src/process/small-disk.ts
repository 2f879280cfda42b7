import { execFileSync } from 'node:child_process';

const MEGABYTES = 600;

/**
 * The words that give the command behind them, and nobody else, a small disk on a folder. It runs in its own namespace, where the user
 * may mount one, and then as a user that is not root, because PostgreSQL refuses root. Empty where that is not possible.
 */
export function onSmallDisk(folder: string): readonly string[] {
  const mount =
    `mount -t tmpfs -o size=${MEGABYTES}m tmpfs "$1" && shift && ` +
    'exec unshare --user --map-user=1000 --map-group=1000 "$@"';
  const words = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh', folder];
  try {
    execFileSync(words[0] as string, [...words.slice(1), 'true'], { stdio: 'ignore' });
    return words;
  } catch {
    return [];
  }
}
