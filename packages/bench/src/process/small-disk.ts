import { execFileSync } from 'node:child_process';

const MEGABYTES = 600;

/**
 * The words to put before a command, for which a folder is then a small disk. The command runs in its own namespace, where the user may
 * mount a disk, and not as root, because PostgreSQL refuses root. Empty where that is not possible.
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
