import { readdirSync, readFileSync } from 'node:fs';

// Linux counts CPU time in hundredths of a second for every program, whatever the kernel was built with.
const TICK_MS = 10;

interface Stat {
  pid: number;
  parent: number;
  cpuMs: number;
}

/** CPU time that processes, and all that they have started, have used so far, in milliseconds. */
export function cpuMs(roots: readonly number[]): number {
  return tree(roots).reduce((sum, stat) => sum + stat.cpuMs, 0);
}

/** Memory of processes and all that they have started: MB. Pages that several share count once. */
export function memoryMb(roots: readonly number[]): number {
  return tree(roots).reduce((sum, { pid }) => {
    const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
    return sum + Number(pss ?? 0) / 1024;
  }, 0);
}

function tree(roots: readonly number[]): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stat(Number(name)))
    .filter((found) => found !== undefined);
  const wanted = new Set(roots);
  for (let before = 0; before !== wanted.size;) {
    before = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return all.filter(({ pid }) => wanted.has(pid));
}

/** Fields of proc(5): 4 is the parent, 14 to 17 are user and system time, of the process and of its children that ended. */
function stat(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 16) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

/** Reads a file; returns an empty text for a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The child processes that run a program of this name, for libraries that do not return the IDs of their processes. */
export function childrenNamed(parent: number, name: string): number[] {
  return tree([parent])
    .filter(({ pid }) => read(`/proc/${pid}/comm`).trim() === name)
    .filter((found) => found.parent === parent)
    .map(({ pid }) => pid);
}

/** The resources of a process that must not grow. */
export interface Holdings {
  /** Memory that is in use now: MB. */
  memoryMb: number;
  /** Open files and connections. */
  descriptors: number;
  threads: number;
}

export function holdingsOf(pid: number): Holdings {
  const status = read(`/proc/${pid}/status`);
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    memoryMb: number('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: number('Threads'),
  };
}

/** The most memory that one process has had: MB. */
export function peakMemoryMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}
