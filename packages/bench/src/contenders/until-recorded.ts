import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './contender.ts';

const DEADLINE_MS = 120_000;

/** Waits until `total` results are stored. */
export async function untilRecorded({ recorded }: Pick<Running, 'recorded'>, total: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let count = await recorded(); count < total; count = await recorded()) {
    if (performance.now() > deadline) throw new Error(`${count} of ${total} deliveries were recorded.`);
    await sleep(10);
  }
}
