import { beforeAll, describe, expect, it } from 'vitest';
import {
  claimJobs,
  countJobs,
  expireJobLeases,
  finishJob,
  promoteJob,
  insertJob,
  insertPeriodicJob,
  type JobRow,
  listDueTimes,
  listJobs,
  listLeasedJobs,
  removeIdleJob,
  renewJobLeases,
  retryJob,
  uncountAttempts,
  returnJob,
} from '../../../src/db/jobs.ts';
import { insertAutomation } from '../../../src/db/automations/automations.ts';
import { findRun, insertRun, listSteps, moveWaits, putStep } from '../../../src/db/automations/runs.ts';
import { prune } from '../../../src/db/prune.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { ids, newWorkspace, NOW, openMigrated, type TestStorage } from '../storage.ts';

const LEASE = 60_000;

export function testJobs(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  let kinds = 0;
  /** A kind of its own, so that tests on one database do not see each other. */
  const newKind = () => `kind-${(kinds += 1)}`;
  const insert = (kind: string, key: string, due = 0, payload = '{}') =>
    store.write((tx) => insertJob(tx, { kind, key, payload, due_at: due, created_at: 0 }));
  const claim = (kind: string, { at = 0, owner = 'me', limit = 10 } = {}) =>
    store.write((tx) => claimJobs(tx, { kind, owner, now: at, leaseUntil: at + LEASE, limit }));
  const listed = async (kind: string, at = 0) => listJobs(store.read, at, { kind });
  const statesOf = async (kind: string, at = 0) => (await listed(kind, at)).map(({ state }) => state);
  const onlyOne = async (kind: string, options?: Parameters<typeof claim>[1]): Promise<JobRow> => {
    const [row, ...others] = await claim(kind, options);
    if (!row || others.length > 0) throw new Error('expected one job');
    return row;
  };
  it('whose due time lies before its creation comes first, and is shown as due since its creation', async () => {
    const kind = newKind();
    const add = (key: string, due: number) =>
      store.write((tx) => insertJob(tx, { kind, key, payload: '{}', due_at: due, created_at: 500 }));
    for (const [key, due] of [
      ['third', 500],
      ['first', 100],
      ['second', 200],
    ] as const)
      await add(key, due);
    expect((await listed(kind, 600)).map((job) => job.due_at)).toEqual([500, 500, 500]);
    const counted = (await countJobs(store.read, 600)).filter((one) => one.kind === kind);
    expect(counted).toMatchObject([{ state: 'due', jobs: 3, first_due_at: 500 }]);
    const claimed = [];
    for (let count = 0; count < 3; count += 1) claimed.push(await onlyOne(kind, { at: 600, limit: 1 }));
    expect(claimed.map(({ key }) => key)).toEqual(['first', 'second', 'third']);
  });

  const FAILED = { due_at: 0, attempts: 10, last_error: 'no response', failed_at: 5 };

  it('with the key of an open one is not added, in a race either', async () => {
    const kind = newKind();
    const added = await Promise.all(Array.from({ length: 8 }, (_, n) => insert(kind, 'same', 0, `${n}`)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await insert(newKind(), 'same')).toBe(true);
    expect(await listed(kind)).toHaveLength(1);
    await claim(kind);
    expect(await insert(kind, 'same')).toBe(false);
  });

  it('of runs that wait move with a clock that is set back, after the ends of their waits', async () => {
    const kind = newKind();
    const workspaceId = await newWorkspace(store);
    const automation = { id: ids('automation'), workspace_id: workspaceId };
    const none = { description: null, conditions: null, throttle: null, concurrency_key: null, secret: null };
    const text = { trigger: '{}', actions: '[]', responsible_user_id: 'user', created_by: 'user' };
    const times = { next_run_at: null, created_at: NOW, updated_at: NOW };
    const start = { automation_id: automation.id, version: 1, depth: 0, allowance: 0, concurrency: null };
    const empty = { once_key: null, event_id: null, data: null, error: null, completed_at: null };
    /** A run that began to wait at one time, until another. */
    const addRun = async (since: number, until: number) => {
      const run = { ...start, ...empty, id: ids('run'), workspace_id: workspaceId };
      const begun = { status: 'waiting', created_at: 0, started_at: 0, resume_at: until } as const;
      await store.write((tx) => insertRun(tx, { ...run, ...begun, trigger: 'manual' }));
      await insert(kind, run.id, until);
      const found = await findRun(store.read, workspaceId, run.id);
      const done = { completed_at: null, request: null, response: null, output: null, error: null };
      const step = { run: found?.seq ?? 0, position: 0, attempt: 0, started_at: since, due_at: until };
      await store.write((tx) => putStep(tx, { ...step, ...done, status: 'waiting' }));
      return run.id;
    };
    await store.write((tx) =>
      insertAutomation(tx, {
        ...automation,
        ...none,
        ...text,
        ...times,
        name: 'Wait',
        enabled: 1,
        version: 1,
      }),
    );
    const runs = [await addRun(150, 900), await addRun(95, 900), await addRun(10, 90)];
    const setBack = { now: 100, since: 90, ms: -500, leasesEnd: 100 };
    await store.write((tx) => moveWaits(tx, kind, setBack));
    for (const [index, end] of [400, 900, 90].entries()) {
      const run = await findRun(store.read, workspaceId, runs[index] ?? '');
      expect(run?.resume_at).toBe(end);
      expect(await listSteps(store.read, { seq: run?.seq ?? 0 })).toMatchObject([{ due_at: end }]);
    }
  });

  it('with the key of a failed one replaces its payload, and starts over', async () => {
    const kind = newKind();
    await insert(kind, 'same', 0, 'old');
    const row = await onlyOne(kind);
    await store.write((tx) => returnJob(tx, row, FAILED));
    expect(await statesOf(kind)).toEqual(['failed']);
    expect(await claim(kind)).toEqual([]);
    expect(await insert(kind, 'same', 0, 'new')).toBe(true);
    const again = await onlyOne(kind);
    expect(again).toMatchObject({
      seq: row.seq,
      payload: 'new',
      attempts: 1,
      failed_at: null,
      last_error: null,
    });
    expect(again.lease_token).toBe(row.lease_token + 1);
  });

  it('is claimed when it is due, the longest due first, and no more of them than are wanted', async () => {
    const kind = newKind();
    for (const [key, due] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['later', 31],
    ] as const)
      await insert(kind, key, due);
    expect((await claim(kind, { at: 9 })).map(({ key }) => key)).toEqual([]);
    const first = await claim(kind, { at: 30, limit: 2 });
    expect(first.map(({ key }) => key).toSorted()).toEqual(['a', 'b']);
    expect((await claim(kind, { at: 30 })).map(({ key }) => key)).toEqual(['c']);
    expect(await statesOf(kind, 30)).toEqual(['running', 'running', 'running', 'scheduled']);
  });

  it('has one owner, however many claim at once', async () => {
    const kind = newKind();
    for (let n = 0; n < 20; n += 1) await insert(kind, `${n}`);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) => claim(kind, { owner: `process ${n}`, limit: 4 })),
    );
    const seqs = claims.flat().map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect((await claim(kind, { owner: 'last', limit: 100 })).length + seqs.length).toBe(20);
  });

  it('of a dead owner is due again at the end of its lease, and a late result of it changes nothing', async () => {
    const kind = newKind();
    await insert(kind, 'a');
    const lost = await onlyOne(kind, { owner: 'dead' });
    expect(await claim(kind, { at: LEASE - 1, owner: 'other' })).toEqual([]);
    const held = await onlyOne(kind, { at: LEASE, owner: 'other' });
    expect(held).toMatchObject({ seq: lost.seq, attempts: 2 });
    expect(await store.write((tx) => finishJob(tx, lost))).toBe(false);
    expect(await store.write((tx) => returnJob(tx, lost, FAILED))).toBe(false);
    expect(await statesOf(kind, LEASE)).toEqual(['running']);
    expect(await store.write((tx) => finishJob(tx, held))).toBe(true);
    expect(await store.write((tx) => finishJob(tx, held))).toBe(false);
    expect(await listed(kind)).toEqual([]);
  });

  it('is not claimed from its owner by that owner, whatever the clock says, and its lease can be renewed', async () => {
    const kind = newKind();
    await insert(kind, 'a');
    const owner = `owner of ${kind}`;
    const { seq, ...held } = await onlyOne(kind, { owner });
    const lease = { seq, lease_token: held.lease_token };
    expect(await claim(kind, { at: 10 * LEASE, owner })).toEqual([]);
    expect(await listDueTimes(store.read, owner, [kind])).toEqual([]);
    expect(await store.write((tx) => renewJobLeases(tx, [lease, { ...lease, seq: 0 }], 20 * LEASE))).toEqual([
      seq,
    ]);
    expect(await claim(kind, { at: 10 * LEASE, owner: 'other' })).toEqual([]);
    await onlyOne(kind, { at: 20 * LEASE, owner: 'other' });
    expect(await store.write((tx) => renewJobLeases(tx, [lease], 30 * LEASE))).toEqual([]);
  });

  it('is found by its owner while it is leased', async () => {
    const kind = newKind();
    await insert(kind, 'left');
    const left = await onlyOne(kind, { owner: `gone of ${kind}` });
    await insert(kind, 'living');
    const living = await onlyOne(kind, { owner: 'living' });
    await insert(kind, 'failed');
    const failed = await onlyOne(kind, { owner: `gone of ${kind}` });
    await store.write((tx) => returnJob(tx, failed, FAILED));
    await insert(kind, 'waiting');
    expect(await listLeasedJobs(store.read, [`gone of ${kind}`, 'long gone'])).toEqual([left]);
    const all = await listLeasedJobs(store.read);
    expect(all.filter((job) => job.kind === kind)).toEqual([left, living]);
  });

  it('has one attempt less when that is not to count, as long as its lease holds', async () => {
    const kind = newKind();
    await insert(kind, 'a');
    await insert(kind, 'b');
    const [a, b] = (await claim(kind, { limit: 2 })) as [JobRow, JobRow];
    await store.write((tx) => returnJob(tx, b, { ...FAILED, failed_at: null }));
    await store.write((tx) => uncountAttempts(tx, [a, b, { ...a, lease_token: 7 }]));
    expect((await listed(kind)).map(({ attempts }) => attempts)).toEqual([0, FAILED.attempts]);
    await store.write((tx) => uncountAttempts(tx, []));
  });

  it('is removed, or made due earlier, only while it is not leased', async () => {
    const kind = newKind();
    await insert(kind, 'a', 100);
    await store.write((tx) => promoteJob(tx, { kind, key: 'a' }, 50));
    const row = await onlyOne(kind, { at: 50 });
    expect(await store.write((tx) => removeIdleJob(tx, { kind, key: 'a' }))).toBe(false);
    await store.write((tx) => promoteJob(tx, { kind, key: 'a' }, 0));
    expect(await statesOf(kind, 51)).toEqual(['running']);
    await store.write((tx) =>
      returnJob(tx, row, { due_at: 100, attempts: 0, last_error: null, failed_at: null }),
    );
    expect(await store.write((tx) => removeIdleJob(tx, { kind, key: 'a' }))).toBe(true);
    expect(await store.write((tx) => removeIdleJob(tx, { kind, key: 'a' }))).toBe(false);
  });

  it('that is periodic keeps its time over a restart, and is never farther away than one period', async () => {
    const kind = newKind();
    const periodic = (due: number, latest = due) =>
      store.write((tx) =>
        insertPeriodicJob(tx, { kind, key: kind, payload: '{}', due_at: due, created_at: 0 }, latest),
      );
    await periodic(1_000);
    await periodic(1_500);
    expect(await listed(kind)).toMatchObject([{ due_at: 1_000 }]);
    await periodic(0, 1_200);
    expect(await listed(kind)).toMatchObject([{ due_at: 1_000 }]);
    await periodic(700);
    expect(await listed(kind)).toMatchObject([{ due_at: 700 }]);
  });

  it('that failed or waits starts over when it is retried by hand; one that runs does not', async () => {
    const kind = newKind();
    await insert(kind, 'a');
    const row = await onlyOne(kind);
    const retry = (at: number) => store.write((tx) => retryJob(tx, row.seq, at));
    expect(await retry(10)).toBe(false);
    await store.write((tx) => returnJob(tx, row, FAILED));
    expect(await retry(10)).toBe(true);
    const again = await onlyOne(kind, { at: 10 });
    expect(again).toMatchObject({ attempts: 1, last_error: 'no response' });
    await store.write((tx) => returnJob(tx, again, { ...FAILED, due_at: 100, failed_at: null }));
    expect(await retry(20)).toBe(true);
    expect(await onlyOne(kind, { at: 20 })).toMatchObject({ attempts: 1, failed_at: null });
  });

  describe('for operators', () => {
    it('counts by kind and state, and forgets what failed long ago', async () => {
      const kind = newKind();
      for (const [key, due] of [
        ['due', 10],
        ['scheduled', 60],
        ['retrying', 0],
        ['failed', 1],
      ] as const)
        await insert(kind, key, due);
      for (const row of await claim(kind, { at: 1 })) {
        const failed = row.key === 'failed';
        const state = { due_at: 60, attempts: 1, last_error: 'x', failed_at: failed ? 40 : null };
        await store.write((tx) => returnJob(tx, row, state));
      }
      await insert(kind, 'running', 0);
      await claim(kind, { at: 0 });
      const counted = (await countJobs(store.read, 50)).filter((one) => one.kind === kind);
      expect(Object.fromEntries(counted.map(({ state, jobs }) => [state, jobs]))).toEqual({
        due: 1,
        scheduled: 1,
        retrying: 1,
        failed: 1,
        running: 1,
      });
      expect(counted.find(({ state }) => state === 'due')?.first_due_at).toBe(10);
      const failed = await listJobs(store.read, 50, { kind, state: 'failed' });
      expect(failed).toMatchObject([{ key: 'failed', last_error: 'x' }]);
      expect(failed[0]).not.toHaveProperty('payload');
      const { seq = 0 } = failed[0] ?? {};
      await store.write((tx) => prune(tx, 'jobs', { keys: [seq], before: 40 }));
      expect(await listJobs(store.read, 50, { kind, state: 'failed' })).toHaveLength(1);
      await store.write((tx) => prune(tx, 'jobs', { keys: [seq], before: 41 }));
      expect(await statesOf(kind, 50)).toHaveLength(4);
    });

    it('all leases end at once for a process that knows it is alone', async () => {
      const kind = newKind();
      await insert(kind, 'a');
      await onlyOne(kind, { owner: 'dead' });
      await store.write((tx) => expireJobLeases(tx, 5));
      expect(await listed(kind)).toMatchObject([{ lease_owner: null, due_at: 5 }]);
      expect(await onlyOne(kind, { at: 5, owner: 'next' })).toMatchObject({ attempts: 2 });
    });
  });
}
