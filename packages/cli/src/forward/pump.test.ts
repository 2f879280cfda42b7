import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CallResult } from './forward.ts';
import { type OutgoingEvent, pump } from './pump.ts';

it('takes no more events into memory than it can work on, and continues when one is done', async () => {
  let taken = 0;
  async function* events(): AsyncGenerator<OutgoingEvent> {
    for (; taken < 3_000; taken += 1) {
      const id = String(taken);
      yield { id, eventId: id, trigger: 'event.created', type: 'push', body: '{}' };
    }
  }
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const send = async (): Promise<CallResult> => {
    await released;
    return { status: 204, ok: true, error: null, headers: null, body: null };
  };
  const handled: string[] = [];
  const attempts = pump(events(), {
    forwarding: {
      send,
      secret: 'whsec_c2VjcmV0',
      headers: {},
      delays: [0],
      show: [],
      now: Date.now,
      signal: new AbortController().signal,
    },
    handled: async (id) => void handled.push(id),
    exitOnFail: false,
  });
  await sleep(200);
  expect(taken).toBeLessThanOrEqual(1_000);
  release();
  let count = 0;
  for await (const attempt of attempts) if (attempt.delivered) count += 1;
  expect(count).toBe(3_000);
  expect(handled.at(-1)).toBe('2999');
});
