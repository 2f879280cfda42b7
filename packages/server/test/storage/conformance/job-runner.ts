import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Deps } from '../../../src/context.ts';
import { claimJobs, listJobs } from '../../../src/db/jobs.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { MailError } from '../../../src/domain/faults/mail-error.ts';
import { ProviderUnavailable } from '../../../src/domain/faults/provider-unavailable.ts';
import { StorageUnavailable } from '../../../src/domain/faults/storage-unavailable.ts';
import { enqueue, enqueueNew } from '../../../src/jobs/enqueue.ts';
import { defineJob, type JobKind, type JobRun, PermanentFailure } from '../../../src/jobs/job-kind.ts';
import { noteAlive } from '../../../src/jobs/note-alive.ts';
import { JobRunner } from '../../../src/jobs/runner.ts';
import { createVault } from '../../../src/secrets/vault.ts';
import { until } from '../../api/support/until.ts';
import { TestClock } from '../../delivery/test-clock.ts';
import { openMigrated, type TestStorage } from '../storage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LEASE = MINUTE;

const vault = createVault(Buffer.alloc(32, 7));
const silent = () => {};

export function testJobRunner(create: () => Promise<TestStorage>): void {
  let store: Store;
  let time: TestClock;
  let failWrites: () => boolean;
  let isNameless: boolean;
  let runners: JobRunner[];
  /** The calls of the handlers: the payload and the ID of each try. */
  let tries: { what: string; id: string }[];
  let run: (what: string, run: JobRun) => ReturnType<JobKind['run']>;
  let told: string[];
  /** Lines of the log: the message, and the fields that describe a failure. */
  let logged: { message: string; reason?: string; err?: unknown; kinds?: string[] }[];
  const note = (fields: object, message: string) => {
    const { reason, err, kinds } = fields as { reason?: string; err?: unknown; kinds?: string[] };
    logged.push({
      message,
      ...(reason && { reason }),
      ...(err !== undefined && { err }),
      ...(kinds && { kinds }),
    });
  };
  const log = { debug: silent, info: note, warn: note, error: note };

  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });
  beforeEach(async () => {
    await store.write((tx) => tx.deleteFrom('jobs').execute());
    time = new TestClock();
    failWrites = () => false;
    isNameless = false;
    runners = [];
    tries = [];
    told = [];
    logged = [];
    run = () => Promise.resolve();
  });
  afterEach(() => Promise.all(runners.map((runner) => runner.stop())));

  const work = defineJob({
    name: 'mail',
    payload: z.object({ what: z.string() }),
    sealed: true,
    concurrency: 2,
    run(_, { what }, jobRun) {
      tries.push({ what, id: jobRun.id });
      return run(what, jobRun);
    },
    async failed(_tx, _deps, { payload, reason }) {
      if (payload.what === 'deaf') throw new Error('a bug');
      told.push(`${payload.what}: ${reason}`);
    },
  });

  function newRunner(owner: string, kinds: readonly JobKind[] = [work], timer = time.timer): JobRunner {
    const failing: Store = {
      dialect: store.dialect,
      shared: store.shared,
      peers: null,
      get read() {
        return store.read;
      },
      write: (unit) =>
        failWrites()
          ? Promise.reject(new StorageUnavailable({ cause: new Error('a test') }))
          : store.write(unit),
      close: () => store.close(),
    };
    const deps = { store: failing, clock: time.clock, vault, log } as unknown as Deps;
    const runner = new JobRunner(deps, {
      kinds,
      owner: () => (isNameless ? null : owner),
      timer,
      monotonic: time.monotonic,
    });
    runners.push(runner);
    return runner;
  }
  async function start(owner = 'one', kinds?: readonly JobKind[]): Promise<JobRunner> {
    const runner = newRunner(owner, kinds);
    await runner.start();
    return runner;
  }
  /** Starts a runner, which learns that this owner is dead. */
  async function startAfterCrash(dead: string, owner: string, runner = newRunner(owner)): Promise<void> {
    await runner.start();
    if (store.shared) await runner.takeOver([dead]);
  }
  const add = (what: string, delayMs = 0) =>
    store.write((tx) =>
      enqueue(tx, { vault, now: time.clock() }, { kind: work, key: what, payload: { what }, delayMs }),
    );
  const all = () => listJobs(store.read, time.clock().getTime(), {});
  const done = () => until('nothing left', async () => (await all()).length === 0);
  const reaches = (state: string, attempts: number) =>
    until(`${state} after ${attempts}`, async () => {
      const [job] = await all();
      return job?.state === state && job.attempts === attempts && job;
    });
  const whats = () => tries.map(({ what }) => what);

  it('runs what was added before it started, what is added later, and nothing before its time', async () => {
    await add('before');
    const runner = await start();
    await add('after');
    await add('scheduled', HOUR);
    runner.wake();
    await until('two', () => tries.length === 2);
    await until('their end', async () => (await all()).length === 1);
    expect(whats().toSorted()).toEqual(['after', 'before']);
    time.advance(HOUR - 1);
    expect(whats()).toHaveLength(2);
    time.advance(1);
    await done();
    expect(whats()).toHaveLength(3);
  });

  it('notices within half a minute what another process has added', async () => {
    const runner = await start();
    await add('first');
    runner.wake();
    await done();
    await add('second');
    time.advance(30 * SECOND);
    await done();
    expect(whats()).toEqual(['first', 'second']);
  });

  it('continues as soon as its process has an owner name again, even if its clock stands still', async () => {
    isNameless = true;
    await add('a');
    await start();
    isNameless = false;
    await done();
    expect(whats()).toEqual(['a']);
  });

  it('keeps what may be a secret sealed', async () => {
    await add('a link');
    const [row] = await store.read.selectFrom('jobs').selectAll().execute();
    expect(row?.payload).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain('{\\"what');
  });

  it('retries with growing delays, under the same ID, and fails for good after the last attempt', async () => {
    run = () => Promise.reject(new Error('no response from https://ana:hunter2hunter2@example.com'));
    await add('a');
    await start();
    for (let attempt = 1; attempt < 10; attempt += 1) {
      const { due_at: due } = await reaches('retrying', attempt);
      const delay = Math.min(2 * HOUR, 5 * SECOND * 4 ** (attempt - 1));
      expect(due - time.clock().getTime()).toBeGreaterThanOrEqual(0.8 * delay);
      expect(due - time.clock().getTime()).toBeLessThanOrEqual(1.2 * delay);
      time.advance(due - time.clock().getTime() + 1);
    }
    const failed = await reaches('failed', 10);
    expect(failed.last_error).toBe('no response from https://[redacted]@example.com');
    expect(told).toEqual([`a: ${failed.last_error}`]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    time.advance(24 * HOUR);
    expect(tries).toHaveLength(10);
    run = () => Promise.resolve();
    await add('a');
    runners[0]?.wake();
    await done();
  });

  it('does not retry what would always fail, and waits for as long as a provider asks', async () => {
    run = () => Promise.reject(new PermanentFailure('no such mailbox'));
    await add('a');
    await start();
    await reaches('failed', 1);
    expect(told).toEqual(['a: no such mailbox']);
    // One line, without a stack.
    await until('the line', () => logged.length > 0);
    expect(logged).toEqual([
      {
        message: expect.stringMatching(
          /^a job failed and will not be retried; to run it again: hubline server retry-job \d+$/,
        ),
        reason: 'no such mailbox',
      },
    ]);
    await store.write((tx) => tx.deleteFrom('jobs').execute());
    run = () => Promise.reject(new ProviderUnavailable('busy', 600));
    await add('b');
    runners[0]?.wake();
    const { due_at: due } = await reaches('retrying', 1);
    expect(due - time.clock().getTime()).toBe(600 * SECOND);
  });

  it('tells the operator which mail server refuses an email, and nobody else', async () => {
    const refused = new MailError('responded with 554 to MAIL FROM', {
      host: 'mail.test:25',
      permanent: true,
    });
    run = () => Promise.reject(new PermanentFailure(refused.message, { cause: refused }));
    await add('a');
    await start();
    await reaches('failed', 1);
    await until('the line', () => logged.length > 0);
    expect(logged).toEqual([
      {
        message: expect.stringMatching(
          /^a job failed and will not be retried; to run it again: hubline server retry-job \d+$/,
        ),
        reason: 'responded with 554 to MAIL FROM (mail.test:25)',
      },
    ]);
    expect(told).toEqual(['a: responded with 554 to MAIL FROM']);
  });

  it('says at a stop which kinds of jobs it waits for', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    run = () => promise;
    await add('a');
    const runner = await start();
    await until('it runs', () => tries.length === 1);
    const stopped = runner.stop();
    expect(logged).toEqual([{ message: 'stopping: waiting up to 30 s for running jobs', kinds: ['mail'] }]);
    resolve();
    await stopped;
    logged = [];
    await runner.stop();
    expect(logged).toEqual([]);
  });

  it('fails a job that it cannot read for good, and runs the others', async () => {
    await add('a');
    await store.write((tx) => tx.updateTable('jobs').set({ payload: 'damaged' }).execute());
    await add('b');
    await start();
    const failed = await reaches('failed', 1);
    expect(failed.last_error).toBe('this version cannot read the stored payload');
    await until('the other', () => whats().includes('b'));
    expect(told).toEqual([]);
  });

  it('records a job as failed for good even if the `failed` of its kind throws', async () => {
    run = () => Promise.reject(new PermanentFailure('no'));
    await add('deaf');
    await start();
    expect(await reaches('failed', 1)).toMatchObject({ last_error: 'no' });
  });

  it('runs a job with steps until it is done, and lets others have their turns', async () => {
    let steps = 0;
    run = async (what) => {
      if (what === 'long' && (steps += 1) < 3) return { againInMs: steps === 1 ? 0 : 10 * SECOND };
      return undefined;
    };
    await add('long');
    await add('short');
    await start();
    const waiting = await until('a pause', async () => {
      const [job] = await all();
      return steps === 2 && job?.state === 'scheduled' && job;
    });
    expect(waiting).toMatchObject({ attempts: 0 });
    time.advance(10 * SECOND + 1);
    await done();
    expect(steps).toBe(3);
  });

  it('runs no more of a kind at once than it may, and the others when there is room', async () => {
    const held: (() => void)[] = [];
    run = () => new Promise((resolve) => held.push(() => resolve()));
    for (let n = 0; n < 5; n += 1) await add(`${n}`);
    await start();
    for (let left = 5; left > 0; left -= 1) {
      await until('room is used', () => held.length === 6 - left || held.length === Math.min(7 - left, 5));
      const running = (await all()).filter(({ state }) => state === 'running');
      expect(running.length).toBeLessThanOrEqual(2);
      held[5 - left]?.();
    }
    await done();
    expect(new Set(whats()).size).toBe(5);
    expect(tries).toHaveLength(5);
  });

  it('of two runners on one database only one has a job', async () => {
    for (let n = 0; n < 20; n += 1) await add(`${n}`);
    if (store.dialect === 'sqlite') {
      // On SQLite a runner that starts takes all leases for those of dead processes: both start before there is anything to lease.
      await store.write((tx) => tx.deleteFrom('jobs').execute());
    }
    const both = [await start('one'), await start('two')];
    for (let n = 0; n < 20; n += 1) await add(`more ${n}`);
    for (const runner of both) runner.wake();
    await done();
    expect(new Set(whats()).size).toBe(tries.length);
  });

  it('keeps a job that takes long, and stops one that it has lost', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    run = (_, jobRun) => {
      signal = jobRun.signal;
      return promise;
    };
    await add('a');
    await start();
    await until('it runs', () => signal !== undefined);
    const other = (at: number) =>
      store.write((tx) => {
        const claim = { kind: 'mail', owner: 'other', now: at, leaseUntil: at + 10 * HOUR, limit: 1 };
        return claimJobs(tx, claim);
      });
    const begun = time.clock().getTime();
    const leaseEnd = async () =>
      (await store.read.selectFrom('jobs').select('due_at').executeTakeFirst())?.due_at;
    for (let third = 1; third <= 4; third += 1) {
      time.advance(20 * SECOND);
      await until('the renewal', async () => (await leaseEnd()) === begun + third * 20 * SECOND + LEASE);
    }
    expect(await other(begun + LEASE + 1)).toEqual([]);
    expect(signal?.aborted).toBe(false);
    expect(await other(begun + 10 * HOUR)).toHaveLength(1);
    time.advance(20 * SECOND);
    await until('it is stopped', () => signal?.aborted);
    resolve();
    await runners[0]?.stop();
    // This process may not record the result.
    expect(await all()).toMatchObject([{ lease_owner: 'other', attempts: 2 }]);
  });

  it('stops after the step under way, does not count an attempt that it cut off, and begins nothing more', async () => {
    run = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))));
    await add('a');
    const runner = await start();
    await until('it runs', () => tries.length === 1);
    await add('b');
    await runner.stop();
    runner.wake();
    expect(await all()).toMatchObject([
      { key: 'a', state: 'due', attempts: 0, last_error: null },
      { key: 'b', state: 'due', attempts: 0 },
    ]);
    run = () => Promise.resolve();
    await start('next');
    await done();
  });

  describe('a new job that is stored with its own lease', () => {
    const quick = defineJob({ ...work, name: 'automation_run', sealed: false, concurrency: 1, prefetch: 2 });
    const addNew = async (runner: JobRunner, what: string) => {
      const effects: (() => unknown)[] = [];
      await store.write((tx) =>
        enqueueNew(
          tx,
          {
            vault,
            now: time.clock(),
            afterCommit: (_, effect) => void effects.push(effect),
            jobs: {
              wake: () => runner.wake(),
              leaseFor: (kind) => runner.leaseFor(kind),
              offer: (job) => runner.offer(job),
            },
          },
          { kind: quick, key: what, payload: { what } },
        ),
      );
      for (const effect of effects) effect();
    };

    it('runs after the commit, and what there is no room for waits its turn', async () => {
      const runner = await start('one', [quick]);
      await runner.idle();
      let going = 0;
      run = async () => {
        expect((going += 1)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        going -= 1;
      };
      for (const what of ['a', 'b', 'c']) await addNew(runner, what);
      await done();
      expect(whats()).toEqual(['a', 'b', 'c']);
    });

    it('does not overtake those that wait in the database, which are taken several at once', async () => {
      const runner = newRunner('one', [quick]);
      for (const what of ['a', 'b', 'c', 'd', 'e']) await addNew(runner, what);
      expect((await all()).map((job) => job.lease_owner)).toEqual([null, null, null, null, null]);
      await runner.start();
      await done();
      expect(whats()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    it('is given back when the process stops before there was room for it', async () => {
      run = (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('cut off'))),
        );
      const runner = await start('one', [quick]);
      await runner.idle();
      for (const what of ['a', 'b']) await addNew(runner, what);
      expect((await all()).map((job) => job.lease_owner)).toEqual(['one', 'one']);
      await runner.stop();
      expect(await all()).toMatchObject([
        { key: 'a', lease_owner: null, state: 'due', attempts: 0 },
        { key: 'b', lease_owner: null, state: 'due', attempts: 0 },
      ]);
      expect(whats()).toEqual(['a']);
    });
  });

  it('takes over the job of a dead process, and runs it again under the same ID', async () => {
    run = () => new Promise(() => {});
    await add('a');
    // Its timers never run: it neither renews its lease nor looks for work.
    await newRunner('dead', [work], () => () => {}).start();
    await until('it runs', () => tries.length === 1);
    runners.length = 0;
    run = () => Promise.resolve();
    await startAfterCrash('dead', 'next');
    await done();
    expect(tries).toHaveLength(2);
    expect(tries[0]).toEqual(tries[1]);
  });

  it('notices at its start that a process has died long ago, and leaves the jobs of living ones', async () => {
    run = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    await add('a');
    await newRunner('dead', [work], () => () => {}).start();
    await until('it runs', () => tries.length === 1);
    runners.length = 0;
    time.advance(LEASE);
    await start('next');
    await until('it runs again', () => tries.length === 2);
    const again = { attempts: 2, lease_owner: 'next', last_error: 'the server crashed during this attempt' };
    expect(await all()).toMatchObject([again]);
    if (!store.shared) return;
    await start('third');
    expect(await all()).toMatchObject([again]);
  });

  it('fails for good a job that crashes its process again and again, and no job that only ran beside it', async () => {
    let crash = 1;
    run = (what) => (what === 'b' && crash > 1 ? Promise.resolve() : new Promise(() => {}));
    await add('a');
    await add('b');
    for (; crash <= 5; crash += 1) {
      // Its timers never run.
      const doomed = newRunner(`${crash}`, [work], () => () => {});
      if (crash === 1) await doomed.start();
      else await startAfterCrash(`${crash - 1}`, `${crash}`, doomed);
      runners.length = 0;
      time.advance(2 * HOUR);
      doomed.wake();
      await until('it runs', () => tries.filter(({ what }) => what === 'a').length === crash);
    }
    await startAfterCrash('5', 'last');
    const failed = await reaches('failed', 5);
    expect(failed.last_error).toBe('the server crashed during this attempt and the one before');
    expect(told).toEqual([`a: ${failed.last_error}`]);
    expect(logged).toEqual([
      {
        message: expect.stringMatching(
          /^a job failed and will not be retried; to run it again: hubline server retry-job \d+$/,
        ),
        reason: failed.last_error,
      },
    ]);
  });

  it('records the end of such a job even if the `failed` of its kind throws', async () => {
    run = () => new Promise(() => {});
    await add('deaf');
    const crashed = { attempts: 4, last_error: 'the server crashed during this attempt' };
    await store.write((tx) => tx.updateTable('jobs').set(crashed).execute());
    await newRunner('dead', [work], () => () => {}).start();
    await until('it runs', () => tries.length === 1);
    runners.length = 0;
    await startAfterCrash('dead', 'next');
    await reaches('failed', 5);
  });

  it('leaves alone the jobs of a dead process that only another version knows', async () => {
    run = () => new Promise(() => {});
    await add('a');
    await newRunner('dead', [work], () => () => {}).start();
    await until('it runs', () => tries.length === 1);
    runners.length = 0;
    await startAfterCrash('dead', 'older', newRunner('older', []));
    expect(await all()).toMatchObject([{ lease_owner: 'dead', attempts: 1 }]);
  });

  it('does not count an attempt that a stop began to cut off, even if the process is killed before it ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    run = () => promise;
    await add('a');
    const runner = await start();
    await until('it runs', () => tries.length === 1);
    const stopped = runner.stop();
    expect(
      await until('its count', async () => (await all()).find(({ attempts }) => attempts === 0)),
    ).toMatchObject({
      lease_owner: 'one',
    });
    resolve();
    await stopped;
    expect(await all()).toEqual([]);
  });

  it('does not run a job again while the database cannot record that it is done', async () => {
    let written = 0;
    failWrites = () => (written += 1) > 2 && written < 5;
    await add('a');
    await start();
    await done();
    expect(written).toBeGreaterThanOrEqual(5);
    expect(tries).toHaveLength(1);
  });

  it('runs a periodic job in only one process, and once for all runs that were missed', async () => {
    let runs = 0;
    const periodic = defineJob({
      name: 'housekeeping',
      payload: z.object({}),
      everyMs: 10 * MINUTE,
      run: async () => void (runs += 1),
    });
    await start('one', [periodic]);
    await start('two', [periodic]);
    expect(runs).toBe(0);
    time.advance(10 * MINUTE);
    await until('the first', () => runs === 1);
    await until('its record', async () => (await all())[0]?.state === 'scheduled');
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    time.advance(24 * HOUR);
    await start('three', [periodic]);
    await until('another', () => runs === 2);
    const { due_at: due } = await reaches('scheduled', 0);
    expect(due).toBe(time.clock().getTime() + 10 * MINUTE);
    expect(runs).toBe(2);
  });

  it('puts off for a day a periodic job that crashes its process again and again, and begins it sooner after a restart', async () => {
    let runs = 0;
    const periodic = defineJob({
      name: 'housekeeping',
      payload: z.object({}),
      everyMs: 10 * MINUTE,
      run: () => ((runs += 1) > 1 ? Promise.resolve() : new Promise<void>(() => {})),
    });
    // Its timers never run.
    const doomed = newRunner('dead', [periodic], () => () => {});
    await doomed.start();
    const crashed = { attempts: 4, last_error: 'the server crashed during this attempt' };
    await store.write((tx) => tx.updateTable('jobs').set(crashed).execute());
    time.advance(10 * MINUTE);
    doomed.wake();
    await until('it runs', () => runs === 1);
    runners.length = 0;
    await startAfterCrash('dead', 'next', newRunner('next', [periodic]));
    const { due_at: due, last_error: reason } = await reaches('retrying', 5);
    expect(due).toBe(time.clock().getTime() + 24 * HOUR);
    expect(logged).toEqual([
      { message: expect.stringMatching(/^a periodic job is put off for a day/), reason },
    ]);
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await start('restarted', [periodic]);
    time.advance(10 * MINUTE);
    await until('it runs again', () => runs === 2);
    expect(await reaches('scheduled', 0)).toMatchObject({ last_error: null });
  });

  it('with a clock that is set back, moves what a dead process left, but nothing that is due by the new time already', async () => {
    const takenBy = (owner: string, key: string, until: number) =>
      store.write((tx) =>
        tx.updateTable('jobs').set({ lease_owner: owner, due_at: until }).where('key', '=', key).execute(),
      );
    const before = time.clock().getTime();
    await store.write((tx) => noteAlive(tx, { now: before, kinds: [] }));
    const runner = await start();
    await runner.idle();
    await add('waits', 2 * HOUR);
    await add('running');
    await add('left');
    await takenBy('dead', 'left', before);
    time.set(-HOUR);
    const now = time.clock().getTime();
    await add('new', 10 * MINUTE);
    await takenBy('living', 'running', now + LEASE);
    runner.wake();
    await until('the job of the dead process', () => tries.length > 0);
    await runner.idle();
    expect(whats()).toEqual(['left']);
    expect(Object.fromEntries((await all()).map(({ key, due_at }) => [key, due_at - now]))).toEqual({
      waits: 2 * HOUR,
      new: 10 * MINUTE,
      running: LEASE,
    });
  });

  it('moves jobs once if the clock is set back while the server starts', async () => {
    const before = time.clock().getTime();
    await add('a', 3 * HOUR);
    await store.write((tx) => noteAlive(tx, { now: before, kinds: [] }));
    const runner = newRunner('one');
    time.set(-HOUR);
    await store.write((tx) => noteAlive(tx, { now: time.clock().getTime(), kinds: [] }));
    await runner.start();
    await runner.idle();
    expect((await all())[0]?.due_at).toBe(before + 2 * HOUR);
  });

  it('moves jobs with a clock that is set back, once for all processes', async () => {
    run = () => Promise.reject(new Error('no'));
    await add('a');
    // As a server does at its start.
    await store.write((tx) => noteAlive(tx, { now: time.clock().getTime(), kinds: [] }));
    const both = [await start('one'), ...(store.shared ? [await start('two')] : [])];
    const { due_at: due } = await reaches('retrying', 1);
    time.set(-HOUR);
    for (const runner of both) {
      runner.wake();
      await runner.idle();
      expect((await all())[0]?.due_at).toBe(due - HOUR);
    }
  });
}
