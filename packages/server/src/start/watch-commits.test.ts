import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeMeta } from '../db/meta.ts';
import { migrate } from '../db/migrations/migrate.ts';
import type { Store } from '../db/core/store.ts';
import { openSqlite } from '../db/sqlite/sqlite-store.ts';
import { watchCommits } from './watch-commits.ts';

const SECOND = 1_000;

let folder: string;
let store: Store;
let other: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hubline-commits-'));
  store = openSqlite(join(folder, 'test.db'));
  await migrate(store, new Date());
  other = openSqlite(join(folder, 'test.db'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([store.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

let written = 0;
// SQLite does not count a commit that changes nothing.
const commit = (by: Store) => by.write((tx) => writeMeta(tx, 'test', String((written += 1))));

it('notices the commits of others once, within a second, and none of its own, until it ends', async () => {
  let noticed = 0;
  const end = watchCommits(store, () => (noticed += 1));
  const after = (change: () => Promise<void>) =>
    change().then(() => {
      vi.advanceTimersByTime(SECOND);
      return noticed;
    });
  const counts = [
    await after(() => commit(store)),
    await after(() => commit(other)),
    await after(async () => {}),
    await after(async () => {
      await commit(other);
      await commit(other);
    }),
  ];
  end();
  expect([...counts, await after(() => commit(other))]).toEqual([0, 1, 1, 2, 2]);
});

it('asks again after SQLite has failed, and misses nothing', () => {
  const answers = [1, null, 2];
  let noticed = 0;
  const foreignVersion = () => answers.shift() ?? expect.fail('the disk');
  const end = watchCommits({ foreignVersion }, () => (noticed += 1));
  vi.advanceTimersByTime(SECOND);
  expect(noticed).toBe(0);
  vi.advanceTimersByTime(SECOND);
  expect(noticed).toBe(1);
  end();
});
