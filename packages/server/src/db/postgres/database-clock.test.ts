import { expect, it } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

it('follows the clock of the database, within the time that a query takes', async () => {
  let elapsed = 1_000;
  const clock = new DatabaseClock(() => elapsed, 499_000);
  expect(clock.now().getTime()).toBe(500_000);
  const ask = (time: number, ms: number) =>
    clock.read(async () => {
      elapsed += ms;
      return time;
    });
  await ask(700_000, 20);
  expect(clock.now().getTime()).toBe(700_010);
  elapsed += 1_000;
  // The result agrees with the estimate, which stays as it is.
  await ask(701_015, 20);
  expect(clock.now().getTime()).toBe(701_030);
  await ask(705_000, 2);
  expect(clock.now().getTime()).toBe(705_001);
});
