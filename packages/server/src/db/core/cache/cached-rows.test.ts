import { expect, it } from 'vitest';
import { CachedRows } from './cached-rows.ts';

it('forgets the oldest entries when it is full, and no others', () => {
  const rows = new CachedRows();
  for (const name of ['first', 'second']) rows.keep(name, [name], [`source of ${name}`]);
  let more = 0;
  while (rows.find('first')) rows.keep(`more ${(more += 1)}`, [more], ['source of more']);
  expect(more).toBeGreaterThanOrEqual(10_000);
  expect(rows.find('second')?.rows).toEqual(['second']);
  rows.drop(['source of more']);
  expect(rows.find(`more ${more}`)).toBeUndefined();
  expect(rows.find('second')?.rows).toEqual(['second']);
});
