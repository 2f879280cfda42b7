import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 10;
const CALM = 0.15;
const LOOK_MS = 500;

/** CPU time that the whole machine has spent so far, in milliseconds, including time that its host took from it. */
export function machineBusyMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MS;
}

/** Waits until the machine is quiet, at most `maxSeconds`. */
export async function untilCalm(maxSeconds: number): Promise<void> {
  const deadline = performance.now() + maxSeconds * 1_000;
  while (performance.now() < deadline) {
    const before = machineBusyMs();
    await sleep(LOOK_MS);
    if ((machineBusyMs() - before) / (LOOK_MS * availableParallelism()) < CALM) return;
  }
}

/** The machine that the figures were measured on. */
export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${gigabytes} GB, Node ${process.versions.node}`;
}
