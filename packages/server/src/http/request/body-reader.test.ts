import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ByteBudget } from '../../limits/byte-budget.ts';
import { BodyReader } from './body-reader.ts';

const MIB = 1024 * 1024;
const readerOf = () => new BodyReader(new ByteBudget({ name: 'request bodies', limit: 64 * MIB }));

test('the work for long bodies is done one after the other, also after one that failed', async () => {
  const reader = readerOf();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (running += 1));
    await sleep(5);
    running -= 1;
    throw new Error('failed');
  };
  const all = Array.from({ length: 4 }, () => reader.alone(Buffer.alloc(2 * MIB), work));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  expect(most).toBe(1);
});

test('the work for a short body does not wait for that of a long one', async () => {
  const reader = readerOf();
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = reader.alone(Buffer.alloc(2 * MIB), () => promise);
  expect(await reader.alone(Buffer.alloc(1_000), async () => 'short')).toBe('short');
  resolve('long');
  expect(await long).toBe('long');
});
