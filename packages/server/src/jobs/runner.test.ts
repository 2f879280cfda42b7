import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STORAGE_RETRY_MS } from '../clock/waits.ts';
import type { Deps } from '../context.ts';
import type { Store } from '../db/core/store.ts';
import { insertJob, type JobRow } from '../db/jobs.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { openSqlite } from '../db/sqlite/sqlite-store.ts';
import { defineJob } from './job-kind.ts';
import { JobRunner } from './runner.ts';

// The times at which the runner polls, and the new jobs that it takes at once. Its jobs are in test/storage/conformance/job-runner.ts.

const SECOND = 1_000;
const NOW = Date.parse('2026-01-02T03:04:05.000Z');
const RENEWAL = 20 * SECOND;

let folder: string;
let store: Store;
let runner: JobRunner;
let waits: Map<() => void, number>;
let owner: string | null;
let isBroken: boolean;
let begun: number;

const kind = defineJob({
  name: 'mail',
  payload: z.object({}),
  concurrency: 1,
  async run(_, _payload, { signal }) {
    begun += 1;
    await new Promise((resolve) => {
      if (signal.aborted) resolve(null);
      else signal.addEventListener('abort', resolve);
    });
  },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hubline-runner-'));
  store = openSqlite(join(folder, 'test.db'));
  await migrate(store, new Date(NOW));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  await store.write((tx) => tx.deleteFrom('jobs').execute());
  [waits, owner, isBroken, begun] = [new Map(), 'one', false, 0];
  const silent = () => {};
  const deps = {
    store: {
      dialect: store.dialect,
      shared: store.shared,
      peers: null,
      get read() {
        if (isBroken) throw new Error('broken');
        return store.read;
      },
      write: store.write,
    },
    clock: () => new Date(NOW),
    log: { debug: silent, info: silent, warn: silent, error: silent },
  } as unknown as Deps;
  runner = new JobRunner(deps, {
    kinds: [kind],
    owner: () => owner,
    timer: (run, ms) => {
      waits.set(run, ms);
      return () => waits.delete(run);
    },
    monotonic: () => 0,
  });
});
afterEach(() => runner.stop());

const add = (key: string, inMs: number, name = 'mail') =>
  store.write((tx) => insertJob(tx, { kind: name, key, payload: '{}', due_at: NOW + inMs, created_at: NOW }));

async function start(): Promise<void> {
  await runner.start();
  await runner.idle();
}

/** The waits until the next polls: there is one at most. */
const polls = () => [...waits.values()].filter((ms) => ms !== RENEWAL);

/** Ends the wait of so many milliseconds. */
function fire(ms: number): void {
  for (const [run, after] of waits) if (after === ms && waits.delete(run)) return run();
  throw new Error(`Nothing waits for ${ms} ms.`);
}

describe('the next poll', () => {
  it.each([
    ['half a minute later, without any job', []],
    ['when the first job is due', [[25 * SECOND], [10 * SECOND]], 10 * SECOND],
    ['half a minute later, if the first is due after that', [[3_600 * SECOND]]],
    [
      'half a minute later, if those that are due are of a kind that only another version knows',
      [[-1, 'new']],
    ],
  ] as [string, [number, string?][], number?][])('is %s', async (_, jobs, expected = 30 * SECOND) => {
    for (const [index, [inMs, name]] of jobs.entries()) await add(String(index), inMs, name);
    await start();
    expect(polls()).toEqual([expected]);
  });

  it('is a second later if another process has added a job, and not postponed by that', async () => {
    await start();
    runner.pollSoon();
    expect(polls()).toEqual([SECOND]);
    await add('soon', SECOND / 2);
    fire(SECOND);
    await runner.idle();
    expect(polls()).toEqual([SECOND / 2]);
    runner.pollSoon();
    expect(polls()).toEqual([SECOND / 2]);
  });

  it('is a second later if another process has added a job during a poll', async () => {
    await start();
    runner.wake();
    runner.pollSoon();
    await runner.idle();
    expect(polls()).toEqual([SECOND]);
  });

  it('is soon if the database failed, and finds what was due', async () => {
    await start();
    await add('due', 0);
    isBroken = true;
    runner.wake();
    await expect.poll(polls).toEqual([STORAGE_RETRY_MS]);
    isBroken = false;
    fire(STORAGE_RETRY_MS);
    await expect.poll(() => begun).toBe(1);
  });

  it('never comes after a stop', async () => {
    await start();
    await runner.stop();
    runner.pollSoon();
    runner.wake();
    expect([...waits.values()]).toEqual([]);
  });
});

describe('the lease of a new job', () => {
  const offer = (seq: number) =>
    runner.offer({
      seq,
      kind: 'mail',
      key: String(seq),
      payload: '{}',
      lease_token: 1,
      attempts: 1,
    } as JobRow);

  it('is granted once nothing older waits in the database', async () => {
    expect(runner.leaseFor('mail')).toBeNull();
    await start();
    expect(runner.leaseFor('mail')).toEqual({ owner: 'one', until: NOW + 60 * SECOND });
    await runner.stop();
    expect(runner.leaseFor('mail')).toBeNull();
  });

  it('is refused without a name, and from then on until a poll, since that job waits in the database', async () => {
    await start();
    owner = null;
    expect(runner.leaseFor('mail')).toBeNull();
    owner = 'one';
    expect(runner.leaseFor('mail')).toBeNull();
    runner.wake();
    await runner.idle();
    expect(runner.leaseFor('mail')).not.toBeNull();
  });

  it('is refused while 256 wait here', async () => {
    await start();
    // One of them runs.
    for (let seq = 1; seq <= 256; seq += 1) offer(seq);
    expect(runner.leaseFor('mail')).not.toBeNull();
    offer(257);
    expect(runner.leaseFor('mail')).toBeNull();
  });
});
