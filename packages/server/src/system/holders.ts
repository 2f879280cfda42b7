import { accessSync, constants, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { processes, userOf } from './processes.ts';

const LISTENS = '0A';

/**
 * Names the process that listens on a TCP port, such as `nginx (pid 812)`, `node app.js (pid 812)` or `Hubline (pid 812)`; `null` where
 * the system does not tell: outside Linux, and for processes of other users.
 */
export function holderOfPort(port: number): string | null {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['tcp', 'tcp6'])
    for (const line of linesOf(`/proc/net/${table}`)) {
      const [, address = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTENS && address.endsWith(`:${wanted}`)) inodes.add(`socket:[${inode}]`);
    }
  if (inodes.size === 0) return null;
  return nameOf(processes().find((pid) => opensOne(pid, inodes)));
}

/** Names the process that has a file locked; `null` where the system does not tell. */
export function holderOfFile(file: string): string | null {
  const inode = statSync(file, { throwIfNoEntry: false })?.ino;
  for (const line of linesOf('/proc/locks')) {
    // 1: POSIX  ADVISORY  WRITE 812 08:01:1574 0 EOF
    const [, , , mode, pid = '', file = ''] = line.trim().split(/\s+/);
    if (mode === 'WRITE' && file.endsWith(`:${inode}`)) return nameOf(pid);
  }
  return null;
}

/**
 * Returns those of the files that any process has open; `null` where the system does not tell: outside Linux, and if
 * this user may not look into one of its own processes, such as one with a privilege.
 */
export function filesInUse(files: readonly string[]): ReadonlySet<string> | null {
  const pids = processes();
  if (pids.length === 0) return null;
  const wanted = new Map(files.map((file) => [identityOf(file), file]));
  wanted.delete(null);
  const found = new Set<string>();
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    if (isClosed(folder) && userOf(pid) === process.getuid?.()) return null;
    for (const descriptor of listed(folder)) {
      const file = wanted.get(identityOf(join(folder, descriptor)));
      if (file !== undefined) found.add(file);
    }
  }
  return found;
}

/** The device and inode of a file, under whatever name; `null` for none. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function opensOne(pid: string, targets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).some((descriptor) => targets.has(targetOf(join(folder, descriptor))));
}

function nameOf(pid: string | undefined): string | null {
  if (pid === undefined) return null;
  const [line = ''] = linesOf(`/proc/${pid}/cmdline`);
  const [first = '', ...given] = line.split('\0').filter((word) => word !== '');
  // The program of another user's process cannot be read. After an upgrade, the link names a removed file.
  const program = basename(targetOf(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '') || first);
  if (program === '') return null;
  const script = program.startsWith('node') ? scriptOf(given) : undefined;
  const isHubline = OURS.test(script ?? program) && line.includes('\0server\0start\0');
  return `${isHubline ? 'Hubline' : script === undefined ? program : `${program} ${script}`} (pid ${pid})`;
}

/** The paths of our program: alone, or run by Node. */
const OURS = /\bhubline\b|\bbin\.[cm]?[jt]s$/;

/** Node's flags whose value is the next word. */
const WITH_VALUE = /^(?:-[eprC]|--eval|--print|--require|--import|--conditions)$/;

/** The script that Node runs. The name of its thread tells nothing: it is "MainThread" for every script. */
const scriptOf = (words: readonly string[]): string | undefined =>
  words.find((word, index) => !word.startsWith('-') && !WITH_VALUE.test(words[index - 1] ?? ''));

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
