import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { lookUpBySystem } from '../../outbound/pool/name-lookups.ts';
import type { Call } from './call.ts';
import { ThreadSender } from './thread-sender.ts';

const CALL: Call = {
  deliveryId: 'dlv_1',
  trigger: 'event.created',
  attempt: 1,
  url: 'https://example.com/',
  body: '{}',
  secrets: ['secret'],
  timestamp: 1,
  timeoutMs: 30_000,
};

afterEach(() => {
  vi.useRealTimers();
});

it('a thread that reports nothing long after the deadline of a call is ended, and the call interrupted', async () => {
  const died = Promise.withResolvers<Error>();
  const sender = new ThreadSender({
    userAgent: 'test',
    allowHttpLocalhost: true,
    resolve: lookUpBySystem,
    program: new URL('../../../test/delivery/threads/scripted-sender.process.ts', import.meta.url),
    onDeath: died.resolve,
  });
  onTestFinished(() => sender.destroy());
  await sender.ready;
  vi.useFakeTimers({ toFake: ['performance'] });
  const result = sender.send(CALL);
  vi.advanceTimersByTime(CALL.timeoutMs + 10_000);
  sender.endIfHanging();
  expect(sender.running).toBe(1);
  vi.advanceTimersByTime(1);
  sender.endIfHanging();
  expect(await result).toBe('interrupted');
  await died.promise;
  expect([sender.running, await sender.send(CALL)]).toMatchObject([0, { localFailure: true }]);
});

it('a thread that hangs while the server stops is ended, and its calls are interrupted', async () => {
  const sender = new ThreadSender({
    userAgent: 'test',
    allowHttpLocalhost: true,
    resolve: lookUpBySystem,
    program: new URL('../../../test/delivery/threads/busy-sender.process.ts', import.meta.url),
    onDeath: () => {},
  });
  await sender.ready;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const result = sender.send(CALL);
  let destroyed = false;
  const end = sender.destroy().then(() => (destroyed = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect([destroyed, sender.running]).toEqual([false, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await end;
  expect(await result).toBe('interrupted');
});
