import { describe, expect, it, onTestFinished } from 'vitest';
import { startWorkspace } from '../api/support/workspace.ts';
import { SENDER_MODES } from './sender-modes.ts';
import { deliver, publish, reaches, receiver, subscribe } from './support.ts';

/** A resolver that looks up two names at a time, as the system's does. Dead names never get an answer. */
function slowResolver() {
  const waiting: (() => void)[] = [];
  let running = 0;
  const start = () => {
    while (running < 2 && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return (name: string) =>
    new Promise<{ address: string; family: number }[]>((resolve) => {
      waiting.push(() => {
        if (name !== 'localhost') return;
        resolve([{ address: '127.0.0.1', family: 4 }]);
        running -= 1;
        start();
      });
      start();
    });
}

describe.each(SENDER_MODES)('webhooks whose names get no answer, %s', (_, senders) => {
  it('keep nobody waiting, not even a name that is new to the server', async () => {
    const root = await startWorkspace({
      flags: { senders },
      resolve: slowResolver(),
      nameServersAnswer: async (name) => name === 'localhost',
      attemptTimeoutMs: 3_000,
    });
    onTestFinished(() => root.stop());
    for (const name of ['a', 'b', 'c', 'd']) {
      const dead = await subscribe(root, `https://${name}.example.com/`);
      await publish(dead);
    }
    const healthy = await receiver();
    const there = await subscribe(root, `http://localhost:${new URL(healthy.url).port}/`);
    const first = await deliver(there);
    await reaches(root, first.id, { status: 'delivered', attempts: 1 });
    expect(healthy.calls).toHaveLength(1);
  });
});
