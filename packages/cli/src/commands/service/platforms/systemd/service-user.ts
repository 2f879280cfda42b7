import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeIn } from './image-place.ts';

/** The name that systemd gives the user of the unit. It uses an existing user of that name. */
export const USER = 'hubline';
/** The line for `systemd-sysusers` that makes the user permanent. */
export const USER_LINE = `u ${USER} - "Hubline"`;

const [READ, EXECUTE] = [0o4, 0o1];
const NEEDS = { read: READ, run: READ | EXECUTE } as const;
const ACCESS_LIST = '+';

/** A part of a path that keeps the user of the service from the file at the end of the path. */
export interface Obstacle {
  readonly path: string;
  readonly found: Stats;
}

/** Finds the obstacle to a file of the system in `root` by owner and mode; `null` if there is none, or if an access list decides. */
export function obstacleTo(
  file: string,
  { root, need }: { root: string; need: keyof typeof NEEDS },
): Obstacle | null {
  const user = userIn(root);
  for (const path of partsOf(file, root)) {
    const found = statSync(placeIn(root, path.slice(root.length)));
    const bits = found.isDirectory() ? EXECUTE : NEEDS[need];
    if ((modeFor(found, user) & bits) !== bits && !hasAccessList(path)) return { path, found };
  }
  return null;
}

/** The sentence about an obstacle, without a period. */
export const describeObstacle = ({ path, found: { mode, uid, gid } }: Obstacle): string =>
  `${path} belongs to user ${uid} and group ${gid}, with mode ${(mode & 0o777).toString(8).padStart(4, '0')}`;

interface User {
  /** `null` if systemd makes a user at each start, to whom no file of the operator can belong. */
  readonly uid: number | null;
  readonly gids: readonly number[];
}

/** The service's user in a system, from the system's own files: while the service runs, the system also names a temporary one. */
export function userIn(root: string): User {
  const [, , uid, gid] = rowsOf(placeIn(root, '/etc/passwd')).find(([name]) => name === USER) ?? [];
  if (uid === undefined) return { uid: null, gids: [] };
  const groups = rowsOf(placeIn(root, '/etc/group')).filter(([, , , members = '']) =>
    members.split(',').includes(USER),
  );
  return { uid: Number(uid), gids: [gid, ...groups.map(([, , id]) => id)].map(Number) };
}

function rowsOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    // An image may not have the file yet.
    return [];
  }
}

function modeFor({ mode, uid, gid }: Stats, user: User): number {
  if (uid === user.uid) return mode >> 6;
  return user.gids.includes(gid) ? mode >> 3 : mode;
}

/** All parts of the paths to a file and to the target of its links, from the root on. */
function partsOf(file: string, root: string): Set<string> {
  const target = root === '' ? realpathSync(file) : placeIn(root, file);
  return new Set([...upTo(join(root, file), root), ...upTo(target, root)]);
}

function upTo(path: string, root: string): string[] {
  if (path === (root || '/')) return [];
  return [...upTo(dirname(path), root), path];
}

/** Node cannot read access lists, but `ls` shows that there is one. */
const hasAccessList = (path: string): boolean =>
  spawnSync('ls', ['-ld', path], { encoding: 'utf8' }).stdout?.[10] === ACCESS_LIST;
