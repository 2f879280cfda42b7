import { expect, it } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

it('goes by what the database says, within the time that it takes to ask', async () => {
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
  // As true as before: it does not waver.
  await ask(701_015, 20);
  expect(clock.now().getTime()).toBe(701_030);
  await ask(705_000, 2);
  expect(clock.now().getTime()).toBe(705_001);
});
