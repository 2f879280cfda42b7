import { realpathSync } from 'node:fs';

/**
 * Directories of the system. A database or a backup directly in one of them would end in a `chmod` or `chown` of the wrong directory.
 * macOS has some below `/private`.
 */
const SYSTEM_DIRECTORIES = new RegExp(
  `^(?:/private)?/(?:${[
    '|home|media|mnt|opt|srv|tmp|usr/local',
    'usr/local/(?:bin|etc|games|include|lib|libexec|man|sbin|share|src|var)',
    'var(?:/(?:backups|cache|crash|db|games|lib|local|lock|log|mail|opt|run|snap|spool|tmp|www))?',
    // The state of all services with users that systemd makes.
    'var/(?:cache|lib|log)/private',
  ].join('|')})$`,
);

/** Directories that belong to the system with everything below them, except some in memory and on removable disks. */
const SYSTEM_TREES = new RegExp(
  `^(?:/private)?/(?:${[
    'bin|boot|etc|lib(?:32|64|x32)?|proc|sbin|sys',
    'dev(?!/shm/.)|usr(?!/local(?:/|$))',
    String.raw`(?:var/)?run(?!/(?:media|user)/[^/]+/.)`,
  ].join('|')})(?:/|$)`,
);

/** A disk in memory, which is empty at each boot. Data for a trial may be there, and no backups. */
const IN_MEMORY = /^\/dev\/shm(?:\/|$)/;

/** Reports whether an absolute path, with links followed, is a directory of the system, not of one program. */
export const isSystemDirectory = (path: string): boolean => isSystemPath(realOf(path));

/** Reports whether an absolute path, with links followed, is unfit for backups: a directory of the system, or emptied at each boot. */
export const isUnfitForBackups = (path: string): boolean =>
  isSystemDirectory(path) || IN_MEMORY.test(realOf(path));

/** The path with links followed. One that does not exist, or is hidden, stays as it is: opening it reports that. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isSystemPath = (path: string): boolean => SYSTEM_DIRECTORIES.test(path) || SYSTEM_TREES.test(path);
