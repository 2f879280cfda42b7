import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

it('every function that changes a table with cached rows names what it changes', () => {
  const writes = /(?:updateTable|insertInto|deleteFrom)\('(?:webhooks|members|users|api_keys|workspaces)'\)/;
  // Functions that change new rows, or columns that are never read from the cache.
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
