import { realpathSync } from 'node:fs';

/** A database or a backup among the files of the system ends in a `chmod` or `chown` of the wrong directory. macOS has some below `/private`. */
const OF_SYSTEM = new RegExp(
  `^(?:/private)?/(?:${[
    '|home|media|mnt|opt|srv|tmp|usr/local',
    'usr/local/(?:bin|etc|games|include|lib|libexec|man|sbin|share|src|var)',
    'var(?:/(?:backups|cache|crash|db|games|lib|local|lock|log|mail|opt|run|snap|spool|tmp|www))?',
    // The states of all services with users that systemd makes.
    'var/(?:cache|lib|log)/private',
  ].join('|')})$`,
);

/** Directories in which all others are the system's, too. Memory and removable disks have some that are not. */
const OF_SYSTEM_WHOLLY = new RegExp(
  `^(?:/private)?/(?:${[
    'bin|boot|etc|lib(?:32|64|x32)?|proc|sbin|sys',
    'dev(?!/shm/.)|usr(?!/local(?:/|$))',
    String.raw`(?:var/)?run(?!/(?:media|user)/[^/]+/.)`,
  ].join('|')})(?:/|$)`,
);

/** Reports whether an absolute path is, also by links, a directory that belongs to the system and not to one program. */
export function isOfSystem(path: string): boolean {
  try {
    return isNamedOfSystem(realpathSync(path));
  } catch {
    // It is not there, or hidden: what opens it says so.
    return isNamedOfSystem(path);
  }
}

const isNamedOfSystem = (path: string): boolean => OF_SYSTEM.test(path) || OF_SYSTEM_WHOLLY.test(path);
