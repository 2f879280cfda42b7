import { expect, it } from 'vitest';
import { CachedRows } from './cached-rows.ts';
import { user } from './sources.ts';

it('forgets the oldest entries when it is full, and no others', () => {
  const rows = new CachedRows();
  for (const name of ['first', 'second']) rows.keep(name, [name], [user(name)]);
  let more = 0;
  while (rows.find('first')) rows.keep(`more ${(more += 1)}`, [more], [user('more')]);
  expect(more).toBeGreaterThanOrEqual(10_000);
  expect(rows.find('second')?.rows).toEqual(['second']);
  rows.drop([user('more')]);
  expect(rows.find(`more ${more}`)).toBeUndefined();
  expect(rows.find('second')?.rows).toEqual(['second']);
});

it('drops everything for a source that only another version knows: it may stand for any of them', () => {
  const rows = new CachedRows();
  rows.keep('key', ['row'], [user('one')]);
  rows.drop([user('other')]);
  expect(rows.find('key')?.rows).toEqual(['row']);
  rows.drop(['rules of workspace one']);
  expect(rows.find('key')).toBeUndefined();
});
