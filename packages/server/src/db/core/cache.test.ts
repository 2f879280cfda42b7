import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { Cache, EVERYTHING, member, user, workspace } from './cache.ts';

const rows = [{ id: 'row' }];
const open = () => {
  let version = 0;
  const cache = new Cache(() => version);
  return { cache, elsewhere: () => (version += 1) };
};
const outside = { inUnit: false };
const inside = { inUnit: true };

it('an entry is there until one of its sources changes, and no longer', () => {
  const { cache } = open();
  const sources = [workspace('a'), user('x')];
  for (const source of [...sources, EVERYTHING]) {
    cache.keep('key', rows, { sources, ...outside });
    cache.change(user('y'));
    cache.committed();
    expect(cache.find('key', false)).toBe(rows);
    cache.change(source);
    expect([cache.find('key', false), cache.find('key', true)]).toEqual([rows, undefined]);
    cache.committed();
    expect(cache.find('key', false)).toBeUndefined();
  }
});

it('a unit keeps nothing of what it has changed, which may be rolled back', () => {
  const { cache } = open();
  cache.change(member('a', 'x'));
  cache.keep('changed', rows, { sources: [member('a', 'x')], ...inside });
  cache.keep('other', rows, { sources: [member('a', 'y')], ...inside });
  expect([cache.find('changed', true), cache.find('other', true)]).toEqual([undefined, rows]);
  cache.committed();
  expect([cache.find('changed', false), cache.find('other', false)]).toEqual([undefined, rows]);
});

it('the commit of another process drops all', async () => {
  const { cache, elsewhere } = open();
  cache.keep('key', rows, { sources: [user('x')], ...outside });
  elsewhere();
  await expect.poll(() => cache.find('key', false)).toBeUndefined();
});

it('whatever changes a table with cached rows says what it changes', () => {
  const writes = /(?:updateTable|insertInto|deleteFrom)\('(?:webhooks|members|users|api_keys|workspaces)'\)/;
  // Rows that nothing was read from yet, or columns that nobody reads from the cache.
  const exempt = ['updateWorkspace', 'insertApiKey', 'touchApiKeys', 'ensureUser'];
  const silent: string[] = [];
  for (const file of globSync('packages/server/src/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue;
    for (const text of readFileSync(file, 'utf8').split(/^(?=export |async function |function )/m)) {
      const name = /function (\w+)/.exec(text)?.[1] ?? basename(file);
      if (writes.test(text) && !text.includes('changed(tx, ') && !exempt.includes(name)) silent.push(name);
    }
  }
  expect(silent).toEqual([]);
});
