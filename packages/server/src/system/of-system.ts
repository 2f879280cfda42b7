import { realpathSync } from 'node:fs';

/**
 * Directories of the system. A database or a backup directly in one of them would end in a `chmod` or `chown` of the wrong directory.
 * macOS has some below `/private`.
 */
const OF_SYSTEM = new RegExp(
  `^(?:/private)?/(?:${[
    '|home|media|mnt|opt|srv|tmp|usr/local',
    'usr/local/(?:bin|etc|games|include|lib|libexec|man|sbin|share|src|var)',
    'var(?:/(?:backups|cache|crash|db|games|lib|local|lock|log|mail|opt|run|snap|spool|tmp|www))?',
    // The state of all services with users that systemd makes.
    'var/(?:cache|lib|log)/private',
  ].join('|')})$`,
);

/** Directories below which all others are the system's, too, except some in memory and on removable disks. */
const OF_SYSTEM_WHOLLY = new RegExp(
  `^(?:/private)?/(?:${[
    'bin|boot|etc|lib(?:32|64|x32)?|proc|sbin|sys',
    'dev(?!/shm/.)|usr(?!/local(?:/|$))',
    String.raw`(?:var/)?run(?!/(?:media|user)/[^/]+/.)`,
  ].join('|')})(?:/|$)`,
);

/** A disk in memory, which is empty at each boot. Data for a trial may be there, and no backups. */
const IN_MEMORY = /^\/dev\/shm(?:\/|$)/;

/** Reports whether an absolute path, with links followed, is a directory that belongs to the system and not to one program. */
export const isOfSystem = (path: string): boolean => isNamedOfSystem(realOf(path));

/** Reports whether an absolute path, with links followed, is no place for backups: of the system, or emptied at each boot. */
export const isNoPlaceForBackups = (path: string): boolean =>
  isOfSystem(path) || IN_MEMORY.test(realOf(path));

/** The path with links followed. One that does not exist, or is hidden, stays as it is: opening it reports that. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isNamedOfSystem = (path: string): boolean => OF_SYSTEM.test(path) || OF_SYSTEM_WHOLLY.test(path);
