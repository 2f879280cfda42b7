import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

// Most questions are requests, and asking without a rest takes the CPU time that the server needs. The rest grows with the wait, up to a
// limit: some questions also move a clock or respond to a call, and have to be asked hundreds of times.
const REST_MS = { first: 5, longest: 25 };

/** Asks again and again until there is a value. The deadline is far beyond what any wait takes, so that only a hang reaches it. */
export async function until<Value>(
  what: string,
  ask: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const began = performance.now();
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    const waited = performance.now() - began;
    if (waited > DEADLINE_MS) throw new Error(`Waited ${DEADLINE_MS} ms in vain for: ${what}`);
    await sleep(Math.min(REST_MS.first + waited / 10, REST_MS.longest));
  }
}
