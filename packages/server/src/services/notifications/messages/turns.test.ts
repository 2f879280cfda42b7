import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('grants one turn at a time for each destination', () => {
  const turns = new Turns();
  expect(turns.enter('a', 0)).toEqual({ granted: true });
  expect(turns.enter('b', 0)).toEqual({ granted: true });
  expect(turns.enter('a', 0)).toEqual({ granted: false, waitMs: 250 });
  expect(turns.enter('a', 0)).toEqual({ granted: false, waitMs: 500 });
  turns.leave('a', 100, 0);
  expect(turns.enter('a', 250)).toEqual({ granted: true });
});

it('leaves a destination alone that has asked for it, and lets those who wait come back one after the other', () => {
  const turns = new Turns();
  turns.enter('a', 0);
  turns.leave('a', 10, 60_010);
  expect(turns.enter('a', 10)).toEqual({ granted: false, waitMs: 60_000 });
  expect(turns.enter('a', 10)).toEqual({ granted: false, waitMs: 60_250 });
  expect(turns.enter('a', 60_010)).toEqual({ granted: true });
});
