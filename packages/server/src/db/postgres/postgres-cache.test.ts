import { describe, expect, it } from 'vitest';
import { type Source, user, workspace } from '../core/cache/sources.ts';
import { type Ask, PostgresCache } from './postgres-cache.ts';

const ROWS = [{ id: 'row' }];
const X = user('x');

/** A cache of a fake database, whose log of changes the test controls. */
function open() {
  const cache = new PostgresCache();
  let log = { until: '100', at: 1_000, changes: null as string[] | null };
  const results: (() => void)[] = [];
  let isSlow = false;
  const ask: Ask = async () => {
    const result = [{ ...log }];
    if (isSlow) await new Promise<void>((resolve) => results.push(resolve));
    return result;
  };
  const reading = cache.forReading(ask);
  return {
    cache,
    reading,
    ask,
    results,
    slow: (yes: boolean) => (isSlow = yes),
    say: (values: Partial<typeof log>) => (log = { ...log, ...values }),
    find: () => reading.find('key', false),
    keep: (sources: readonly Source[] = [X]) => reading.reading('key', false)(ROWS, sources),
  };
}

describe('the cache of a database that others change', () => {
  it('keeps rows until somebody has changed one of their sources', async () => {
    const { cache, ask, say, keep, find } = open();
    await cache.catchUp(ask);
    keep();
    say({ until: '110', changes: ['1 user y'] });
    await cache.catchUp(ask);
    expect(find()).toBe(ROWS);
    say({ until: '120', changes: ['2 user x'] });
    await cache.catchUp(ask);
    expect(find()).toBeUndefined();
  });

  it('drops rows once for a change that comes again, as it does beside a long transaction', async () => {
    const { cache, ask, say, keep, find } = open();
    say({ changes: ['2 user x'] });
    await cache.catchUp(ask);
    keep();
    await cache.catchUp(ask);
    expect(find()).toBe(ROWS);
  });

  it('keeps nothing that was being read while something changed: it may be the old row', async () => {
    const { cache, ask, say, reading, find } = open();
    await cache.catchUp(ask);
    const keep = reading.reading('key', false);
    say({ until: '110', changes: ['1 user x'] });
    await cache.catchUp(ask);
    keep(ROWS, [X]);
    expect(find()).toBeUndefined();
  });

  it('stays correct when one reading of the log overtakes another', async () => {
    const { cache, ask, say, slow, results, keep, find } = open();
    await cache.catchUp(ask);
    keep();
    slow(true);
    const early = cache.catchUp(ask);
    slow(false);
    say({ until: '120', changes: ['1 user x'] });
    await cache.catchUp(ask);
    results[0]?.();
    await early;
    expect(find()).toBeUndefined();
  });

  it('starts empty after transaction IDs are reset, and after a long absence', async () => {
    for (const other of [{ until: '99' }, { at: 1_000 + 3_600 }]) {
      const { cache, ask, say, keep, find } = open();
      await cache.catchUp(ask);
      keep();
      say(other);
      await cache.catchUp(ask);
      expect(find()).toBeUndefined();
    }
  });

  it('asks before a request relies on it, once for requests that come together, and not again right after', async () => {
    const { reading } = open();
    const first = reading.refresh(false);
    expect(first).toBeInstanceOf(Promise);
    expect(reading.refresh(false)).toBe(first);
    expect(reading.refresh(true)).toBeUndefined();
    await first;
    expect(reading.refresh(false)).toBeUndefined();
  });

  it('refuses a request while the database cannot be asked, and asks again for the next', async () => {
    const cache = new PostgresCache();
    let asked = 0;
    const reading = cache.forReading(() => {
      asked += 1;
      return Promise.reject(new Error('gone'));
    });
    await expect(reading.refresh(false)).rejects.toThrow('gone');
    await expect(reading.refresh(false)).rejects.toThrow('gone');
    expect(asked).toBe(2);
  });
});

describe('a transaction', () => {
  it('uses cached rows only if it has caught up, and never those that it has changed', async () => {
    const { cache, ask, keep } = open();
    await cache.catchUp(ask);
    keep([X, workspace('a')]);
    const unit = cache.forUnits();
    unit.begin(false);
    expect([unit.find('key', false), unit.find('key', true)]).toEqual([undefined, ROWS]);
    unit.begin(true);
    expect(unit.find('key', false)).toBe(ROWS);
    unit.change(workspace('a'));
    expect([unit.find('key', false), unit.find('key', true)]).toEqual([undefined, undefined]);
  });

  it('logs its changes before it commits, and drops the changed rows with the commit', async () => {
    const { cache, ask, keep, find } = open();
    await cache.catchUp(ask);
    keep();
    const unit = cache.forUnits();
    unit.begin(false);
    unit.change(X);
    unit.change(X);
    const logged: unknown[] = [];
    await unit.logChanges(async (_, values) => (logged.push(values), []));
    expect([logged, find()]).toEqual([[[['user x']]], ROWS]);
    unit.committed();
    expect(find()).toBeUndefined();
  });

  it('keeps the rows that it has read when it commits, and none when it is rolled back', () => {
    const { cache, find } = open();
    const unit = cache.forUnits();
    const read = () => {
      unit.begin(true);
      unit.reading('key', false)(ROWS, [X]);
    };
    read();
    unit.begin(true);
    unit.committed();
    expect(find()).toBeUndefined();
    read();
    unit.committed();
    expect(find()).toBe(ROWS);
  });
});
