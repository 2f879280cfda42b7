import { existsSync, realpathSync } from 'node:fs';
import { usageError } from '../../errors/errors.ts';
import { HIDDEN } from './hidden.ts';
import type { CommandLine } from './service-plan.ts';
import { obstacleTo, tellObstacle, USER } from './systemd/service-user.ts';

/** A cache may be emptied. */
const CACHE = /[\\/]_npx[\\/]/;

/** The words that start this program from anywhere. Refuses a place that a service cannot rely on. */
export function serviceProgram({
  execPath,
  execArgv,
  argv,
}: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>): CommandLine {
  const [, script = execPath] = argv;
  // A program in one file has no script, or names itself.
  const scripts = existsSync(script) && realpathSync(script) !== realpathSync(execPath) ? [script] : [];
  const paths = [execPath, ...scripts].map((path) => realpathSync(path));
  for (const path of paths) {
    // Node reads a script; only the program itself is run.
    const reason = reasonAgainst(path, path === paths[0] ? 'run' : 'read');
    if (reason === null) continue;
    throw usageError(
      `A service cannot run ${path}: ${reason}.`,
      scripts.length === 0
        ? `Run this again from a place for all users: sudo install ${path} /usr/local/bin/hubline`
        : 'Install Node and hubline for all users, such as below /usr/local, and run this again from there.',
    );
  }
  const [program = execPath, ...rest] = paths;
  // One file has its flags inside, and takes every word for a command.
  return rest.length === 0 ? [program] : [program, ...execArgv, ...rest];
}

function reasonAgainst(path: string, need: 'run' | 'read'): string | null {
  if (HIDDEN.test(path) || CACHE.test(path)) return 'homes are hidden from it, and caches are emptied';
  // Only systemd gives the service a user of its own.
  const obstacle = process.platform === 'linux' ? obstacleTo(path, { root: '', need }) : null;
  return obstacle === null ? null : `${tellObstacle(obstacle)}, which shuts out its user, ${USER}`;
}
