import { expect, it } from 'vitest';
import { z } from 'zod';
import { nextTurn } from '../clock/timer.ts';
import type { JobRow } from '../db/jobs.ts';
import { defineJob } from './job-kind.ts';
import { LeasedJobs } from './leased-jobs.ts';

const kind = defineJob({
  name: 'mail',
  payload: z.object({}),
  concurrency: 2,
  prefetch: 1,
  run: async () => {},
});

/** A job, as it was claimed for the n-th time. */
const claimed = (seq: number, token = 1) => ({ seq, kind: 'mail', lease_token: token }) as JobRow;

function begin() {
  const ends = new Map<JobRow, (isOver: boolean) => void>();
  const aborted: JobRow[] = [];
  const jobs = new LeasedJobs({
    kinds: new Map([['mail', kind]]),
    isStopped: () => false,
    perform: ({ row }, signal) => {
      signal.addEventListener('abort', () => aborted.push(row));
      return new Promise((resolve) => ends.set(row, resolve));
    },
    ended: () => {},
  });
  const add = (...rows: JobRow[]) => {
    for (const row of rows) jobs.add(row);
    jobs.begin('mail');
  };
  const end = async (row: JobRow) => {
    ends.get(row)?.(true);
    await nextTurn();
  };
  return { jobs, add, end, aborted, running: () => [...ends.keys()] };
}

it('as many run as the kind allows; the others wait, and begin when one ends', async () => {
  const { jobs, add, end, running } = begin();
  const [a, b, c] = [claimed(1), claimed(2), claimed(3)];
  expect(jobs.capacityFor('mail')).toBe(3);
  add(a, b, c);
  expect([running(), jobs.waitingCount('mail'), jobs.capacityFor('mail')]).toEqual([[a, b], 1, 0]);
  await end(a);
  expect([running(), jobs.all()]).toEqual([
    [a, b, c],
    [b, c],
  ]);
});

it('a job that is claimed again before its last attempt has ended keeps its lease', async () => {
  const { jobs, add, end } = begin();
  const [first, second] = [claimed(1), claimed(1, 2)];
  add(first);
  add(second);
  await end(first);
  // Leases are renewed for all of these.
  expect(jobs.all()).toEqual([second]);
  await end(second);
  expect(jobs.all()).toEqual([]);
});

it('a lost lease aborts the job that runs, and takes out the one that waits', () => {
  const { jobs, add, aborted } = begin();
  const [a, b, c] = [claimed(1), claimed(2), claimed(3)];
  add(a, b, c);
  jobs.drop([a, c, claimed(2)]);
  expect([aborted, jobs.waitingCount('mail')]).toEqual([[a], 0]);
});
