import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LISTENS = '0A';

/**
 * Names the process that listens on a TCP port, such as `nginx (pid 812)`; `null` where the system does not tell: on others than Linux, and
 * of processes of other users.
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
    const [, , , mode, pid = '', place = ''] = line.trim().split(/\s+/);
    if (mode === 'WRITE' && place.endsWith(`:${inode}`)) return nameOf(pid);
  }
  return null;
}

function opensOne(pid: string, targets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).some((descriptor) => targets.has(targetOf(join(folder, descriptor))));
}

function nameOf(pid: string | undefined): string | null {
  if (pid === undefined) return null;
  const [name = ''] = linesOf(`/proc/${pid}/comm`);
  return name === '' ? null : `${name} (pid ${pid})`;
}

const processes = (): string[] => listed('/proc').filter((name) => /^\d+$/.test(name));

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
