import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENVELOPE, SECRET, signed } from '../../test/samples.ts';
import { memorySeen, type SeenOptions, type SeenStore, unwrap } from '../index.ts';
import { sqliteSeen } from './sqlite-seen.ts';

const stores: [name: string, open: (options?: SeenOptions) => SeenStore][] = [
  ['memorySeen', memorySeen],
  ['sqliteSeen', (options) => sqliteSeen(new DatabaseSync(':memory:'), options)],
];

describe.each(stores)('%s', (_name, open) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives a delivery to the first who claims it', async () => {
    const seen = open();
    expect(await seen.claim('dlv_01')).toBe('new');
    expect(await seen.claim('dlv_01')).toBe('processing');
    expect(await seen.claim('dlv_02')).toBe('new');
  });

  it('remembers a completed delivery for a day by default', async () => {
    const seen = open();
    await seen.claim('dlv_01');
    await seen.complete('dlv_01');
    vi.advanceTimersByTime(86_399_999);
    expect(await seen.claim('dlv_01')).toBe('done');
    vi.advanceTimersByTime(1);
    expect(await seen.claim('dlv_01')).toBe('new');
  });

  it('counts the time from the completion, and by the given ttl', async () => {
    const seen = open({ ttl: 10 });
    await seen.claim('dlv_01');
    vi.advanceTimersByTime(8_000);
    await seen.complete('dlv_01');
    vi.advanceTimersByTime(9_999);
    expect(await seen.claim('dlv_01')).toBe('done');
    vi.advanceTimersByTime(1);
    expect(await seen.claim('dlv_01')).toBe('new');
  });

  it('gives a released delivery to the next who claims it', async () => {
    const seen = open();
    await seen.claim('dlv_01');
    await seen.release('dlv_01');
    expect(await seen.claim('dlv_01')).toBe('new');
  });

  it('gives a delivery to the next claim when its lease has expired, as after a crash', async () => {
    const seen = open({ lease: 60 });
    await seen.claim('dlv_01');
    vi.advanceTimersByTime(59_999);
    expect(await seen.claim('dlv_01')).toBe('processing');
    vi.advanceTimersByTime(1);
    expect(await seen.claim('dlv_01')).toBe('new');
    expect(await seen.claim('dlv_01')).toBe('processing');
  });

  it('accepts the completion of a delivery that was never claimed, and the release of an unknown one', async () => {
    const seen = open();
    await seen.complete('dlv_01');
    expect(await seen.claim('dlv_01')).toBe('done');
    await seen.release('dlv_02');
    expect(await seen.claim('dlv_02')).toBe('new');
  });

  it.each([{ ttl: 0 }, { ttl: NaN }, { lease: -1 }])('refuses %j', (options) => {
    expect(() => open(options)).toThrow(RangeError);
  });

  it('makes unwrap return each delivery once', async () => {
    vi.useRealTimers();
    const seen = open();
    const call = await signed();
    expect(await unwrap(call, { secret: SECRET, seen })).toEqual(ENVELOPE);
    // 200: Hubline would retry anything else, although the delivery is handled.
    await expect(unwrap(call, { secret: SECRET, seen })).rejects.toMatchObject({
      reason: 'replayed',
      status: 200,
    });
    await seen.release(ENVELOPE.id);
    expect(await unwrap(call, { secret: SECRET, seen })).toEqual(ENVELOPE);
  });

  it('gives a delivery to one of many that arrive at once', async () => {
    vi.useRealTimers();
    const seen = open();
    const call = await signed();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => unwrap(call, { secret: SECRET, seen })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('remembers nothing of a call that is refused', async () => {
    vi.useRealTimers();
    const seen = open();
    const call = await signed();
    await expect(unwrap({ ...call, body: '{}' }, { secret: SECRET, seen })).rejects.toThrow();
    expect(await seen.claim(ENVELOPE.id)).toBe('new');
  });
});

describe('memorySeen', () => {
  it('forgets the oldest beyond max, and keeps those that were completed last', async () => {
    const seen = memorySeen({ max: 2 });
    for (const id of ['a', 'b']) await seen.claim(id);
    await seen.complete('a');
    await seen.claim('c');
    expect(await seen.claim('a')).toBe('done');
    expect(await seen.claim('b')).toBe('new');
  });

  it.each([0, -1, NaN])('refuses a max of %d', (max) => {
    expect(() => memorySeen({ max })).toThrow(RangeError);
  });
});

describe('sqliteSeen', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hubline-seen-'));
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  it('shares a file between processes, and remembers across restarts', async () => {
    const file = join(folder, 'seen.db');
    const one = new DatabaseSync(file);
    const two = new DatabaseSync(file);
    expect(await sqliteSeen(one).claim('dlv_01')).toBe('new');
    expect(await sqliteSeen(two).claim('dlv_01')).toBe('processing');
    await sqliteSeen(one).complete('dlv_01');
    one.close();
    two.close();
    const again = new DatabaseSync(file);
    expect(await sqliteSeen(again).claim('dlv_01')).toBe('done');
    again.close();
  });

  it('waits while another process writes', async () => {
    const file = join(folder, 'seen.db');
    // The commit may have to wait for the other process, which looks at the file now and then.
    const other = new DatabaseSync(file, { timeout: 60_000 });
    other.exec('BEGIN IMMEDIATE');
    const program = `
      const { DatabaseSync } = await import('node:sqlite');
      const { sqliteSeen } = await import(${JSON.stringify(import.meta.resolve('./sqlite-seen.ts'))});
      const database = new DatabaseSync(${JSON.stringify(file)});
      process.stdout.write('ready');
      await sqliteSeen(database).claim('dlv_01');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const closed = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), closed]);
    other.exec('COMMIT');
    expect(await closed).toEqual([0, null]);
    expect(await sqliteSeen(other).claim('dlv_01')).toBe('processing');
    other.close();
  });

  it.each([
    [{}, 5_000],
    [{ timeout: 20 }, 20],
  ])('leaves the settings of a handle with %j, but lets it wait', (options, waits) => {
    const database = new DatabaseSync(':memory:', options);
    sqliteSeen(database);
    expect({ ...database.prepare('PRAGMA busy_timeout').get() }).toEqual({ timeout: waits });
  });

  it('removes expired deliveries when a new one is claimed', async () => {
    vi.useFakeTimers();
    const database = new DatabaseSync(':memory:');
    const seen = sqliteSeen(database, { ttl: 1, lease: 1, table: 'deliveries' });
    for (const id of ['a', 'b', 'c']) await seen.claim(id);
    await seen.complete('a');
    vi.advanceTimersByTime(1_000);
    await seen.claim('d');
    expect(database.prepare('SELECT id FROM deliveries').all()).toEqual([{ id: 'd' }]);
  });

  it.each(['a b', 'x; DROP TABLE y', '', '1st', '"q"'])('refuses the table name %j', (table) => {
    expect(() => sqliteSeen(new DatabaseSync(':memory:'), { table })).toThrow(RangeError);
  });
});
