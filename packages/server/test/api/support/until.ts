import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/** Asks again and again until there is a value. Only a hang reaches the deadline. */
export async function until<Value>(
  what: string,
  ask: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`Waited ${DEADLINE_MS} ms in vain for: ${what}`);
    await sleep(5);
  }
}
