import { readdirSync, readFileSync } from 'node:fs';

/** The IDs of all processes; none where the system does not tell: outside Linux. */
export function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The user of a process; `undefined` for one that has ended. */
export const userOf = (pid: string): number | undefined => numberIn(pid, 'Uid');

/** Counts the threads that the other processes of this user have. */
export function threadsBeside(): number {
  let count = 0;
  for (const pid of processes())
    if (Number(pid) !== process.pid && userOf(pid) === process.getuid?.())
      count += numberIn(pid, 'Threads') ?? 0;
  return count;
}

/** The first number of a line in the status of a process. */
function numberIn(pid: string, name: string): number | undefined {
  try {
    const [, number] =
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}
