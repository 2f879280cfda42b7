import { realpathSync } from 'node:fs';

/** A database or a backup among the files of the system ends in a `chmod` or `chown` of the wrong directory. macOS has some below `/private`. */
const OF_SYSTEM = new RegExp(
  `^(?:/private)?/(?:${[
    'bin|boot|dev(?:/shm)?|etc|home|lib(?:32|64|x32)?|opt|proc|run(?:/lock|/user)?|sbin|sys|tmp',
    'usr(?:/(?:bin|include|lib|lib32|lib64|libexec|local|sbin|share|src))?',
    'var(?:/(?:cache|lib|local|lock|log|mail|opt|run|spool|tmp))?',
  ].join('|')})?$`,
);

/** Reports whether an absolute path is, also by links, a directory that belongs to the system and not to one program. */
export function isOfSystem(path: string): boolean {
  try {
    return OF_SYSTEM.test(realpathSync(path));
  } catch {
    // It is not there, or hidden: what opens it says so.
    return OF_SYSTEM.test(path);
  }
}
