import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../errors/errors.ts';
import { HIDDEN } from './platforms/hidden.ts';
import type { CommandLine } from './service-plan.ts';
import { shellWord } from '../../terminal/shell-word.ts';
import { placeIn } from './platforms/systemd/image-place.ts';
import { obstacleTo, describeObstacle, USER } from './platforms/systemd/service-user.ts';

/** The place of a program for all users. */
const PLACE = '/usr/local/bin/hubline';
const SHARED = process.platform === 'win32' ? String.raw`C:\Program Files` : '/usr/local';
/** The cache of npx, which may be emptied. */
const CACHE = /[\\/]_npx[\\/]/;
const EXECUTABLE = 0o111;

/** The words that start this program from anywhere. Refuses a place that a service cannot rely on. */
export function serviceProgram({
  execPath,
  execArgv,
  argv,
}: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>): CommandLine {
  const [, script = execPath] = argv;
  // The single-file program has no script, or names itself.
  const scripts = existsSync(script) && realpathSync(script) !== realpathSync(execPath) ? [script] : [];
  const paths = [execPath, ...scripts].map((path) => realpathSync(path));
  for (const path of paths) {
    // Node only reads a script; the program itself must be executable.
    const found = reasonAgainst(path, path === paths[0] ? 'run' : 'read');
    if (found === null) continue;
    const elsewhere =
      scripts.length === 0
        ? `Run this again from a place for all users: sudo install ${shellWord(path)} ${PLACE}`
        : `Install Node and hubline for all users, such as below ${SHARED}, and run this again from there.`;
    throw usageError(`A service cannot run ${path}: ${found.reason}.`, found.cure ?? elsewhere);
  }
  const [program = execPath, ...rest] = paths;
  // The single-file program has its flags inside, and takes every word for a command.
  return rest.length === 0 ? [program] : [program, ...execArgv, ...rest];
}

/** The directories in which a unit of systemd finds its programs. */
const PLACES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Refuses an image that does not have the program: its service would fail at every start. */
export function requireProgramIn(root: string): void {
  if (root === '') return;
  const files = PLACES.map((place) => placeIn(root, join(place, 'hubline'))).filter((file) =>
    existsSync(file),
  );
  if (files.some(isProgram)) return;
  const [idle] = files;
  throw usageError(
    `The system in ${root} has no program hubline, which its service would start${idle === undefined ? '' : `: ${idle} is not an executable file`}.`,
    `Put it there first, such as with: sudo install -D FILE ${shellWord(join(root, PLACE))}`,
  );
}

function isProgram(file: string): boolean {
  const found = statSync(file);
  return found.isFile() && (found.mode & EXECUTABLE) !== 0;
}

/** The reason why a service cannot use a path. There is a special cure if the path is in the right place, but closed. */
function reasonAgainst(path: string, need: 'run' | 'read'): { reason: string; cure: string | null } | null {
  if (HIDDEN.test(path) || CACHE.test(path))
    return { reason: 'homes and temporary folders are hidden from it, and caches are emptied', cure: null };
  // Only systemd gives the service its own user.
  const obstacle = process.platform === 'linux' ? obstacleTo(path, { root: '', need }) : null;
  if (obstacle === null) return null;
  const isClosed = path === PLACE || obstacle.path === path;
  return {
    reason: `${describeObstacle(obstacle)}, which keeps out its user, ${USER}`,
    cure: isClosed ? `Open it, and run this again: sudo chmod 0755 ${shellWord(obstacle.path)}` : null,
  };
}
