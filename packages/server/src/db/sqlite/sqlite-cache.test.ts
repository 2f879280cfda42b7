import { expect, it } from 'vitest';
import { EVERYTHING, member, type Source, user, workspace } from '../core/cache/sources.ts';
import { SqliteCache } from './sqlite-cache.ts';

const rows = [{ id: 'row' }];
const open = () => {
  let version = 0;
  const cache = new SqliteCache(() => version);
  const outside = cache.use({ inUnit: false });
  const inside = cache.use({ inUnit: true });
  const keep = (key: string, sources: Source[], use = outside) => use.reading(key, false)(rows, sources);
  const find = (key: string) => [outside.find(key, false), inside.find(key, false)];
  return { cache, keep, find, inside, elsewhere: () => (version += 1) };
};

it('an entry is kept until one of its sources changes, and no longer', () => {
  const { cache, keep, find, inside } = open();
  const sources = [workspace('a'), user('x')];
  for (const source of [...sources, EVERYTHING]) {
    keep('key', sources);
    inside.change(user('y'));
    cache.committed();
    expect(find('key')).toEqual([rows, rows]);
    inside.change(source);
    expect(find('key')).toEqual([rows, undefined]);
    cache.committed();
    expect(find('key')).toEqual([undefined, undefined]);
  }
});

it('a unit does not cache what it has changed, which may be rolled back', () => {
  const { cache, keep, find, inside } = open();
  inside.change(member('a', 'x'));
  keep('changed', [member('a', 'x')], inside);
  keep('other', [member('a', 'y')], inside);
  expect([find('changed')[1], find('other')[1]]).toEqual([undefined, rows]);
  cache.committed();
  expect([find('changed')[0], find('other')[0]]).toEqual([undefined, rows]);
});

it('the commit of another process drops every entry', async () => {
  const { keep, find, elsewhere } = open();
  keep('key', [user('x')]);
  elsewhere();
  await expect.poll(() => find('key')[0]).toBeUndefined();
});
