import { expect, it } from 'vitest';
import { nextTurn } from '../clock/timer.ts';
import { UnderWay } from './under-way.ts';

function start() {
  const told: string[] = [];
  const log = ({ err }: { err?: Error }, message: string) => void told.push(`${message}: ${err?.message}`);
  const underWay = new UnderWay({ debug: log, info: log, warn: log, error: log });
  return { underWay, told };
}

it('waits for all work, and for work that is added meanwhile', async () => {
  const { underWay, told } = start();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  underWay.add(one.promise.then(() => underWay.add(other.promise)));
  const ended = underWay.ended().then(() => told.push('ended'));
  one.resolve();
  await nextTurn();
  expect(told).toEqual([]);
  other.resolve();
  await ended;
  expect(told).toEqual(['ended']);
});

it('has nothing to wait for at first, and after its work has ended', async () => {
  const { underWay } = start();
  await underWay.ended();
  underWay.add(Promise.resolve());
  await underWay.ended();
  await underWay.ended();
});

it('logs a failure that the work did not handle, and goes on', async () => {
  const { underWay, told } = start();
  underWay.add(Promise.reject(new Error('a bug')));
  await underWay.ended();
  expect(told).toEqual(['unexpected error in the delivery engine: a bug']);
});
