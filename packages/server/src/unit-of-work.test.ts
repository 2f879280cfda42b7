import { expect, it } from 'vitest';
import { nextTurn } from './clock/timer.ts';
import type { Tx } from './db/core/schema.ts';
import { unitOfWork } from './unit-of-work.ts';

const tx = {} as Tx;

/** A unit of work on a fake database that runs each unit `runs` times before it commits. */
function fakeUnitOfWork({ runs = 1, fails = false } = {}) {
  const failures: string[] = [];
  const work = unitOfWork({
    async write(unit) {
      let result = await unit(tx);
      for (let run = 1; run < runs; run += 1) result = await unit(tx);
      if (fails) throw new Error('not committed');
      return result;
    },
    onFailure: (error, what) => failures.push(`${what}: ${(error as Error).message}`),
  });
  return { ...work, failures };
}

/** One turn of the event loop, in which promises settle. */

it('an effect that fails changes neither the result nor the other effects, and is reported by its name', async () => {
  const { write, afterCommit, failures } = fakeUnitOfWork();
  const done: string[] = [];
  const result = await write(async () => {
    afterCommit('first', () => void done.push('first'));
    afterCommit('throws', () => {
      throw new Error('at once');
    });
    afterCommit('rejects', () => Promise.reject(new Error('later')));
    afterCommit('last', () => void done.push('last'));
    return 'committed';
  });
  expect(result).toBe('committed');
  expect(done).toEqual(['first', 'last']);
  await nextTurn();
  expect(failures).toEqual(['throws: at once', 'rejects: later']);
});

it('an effect that takes long delays neither the result nor the next effect', async () => {
  const { write, afterCommit } = fakeUnitOfWork();
  const done: string[] = [];
  await write(async () => {
    afterCommit('takes forever', () => new Promise(() => undefined));
    afterCommit('next', () => void done.push('next'));
  });
  expect(done).toEqual(['next']);
});

it('a unit that is not committed has no effects', async () => {
  const { write, afterCommit } = fakeUnitOfWork({ fails: true });
  const done: string[] = [];
  const writing = write(async () => afterCommit('wake', () => void done.push('woken')));
  await expect(writing).rejects.toThrow('not committed');
  await nextTurn();
  expect(done).toEqual([]);
});

it('a unit that runs again has the effects of its last run only', async () => {
  const { write, afterCommit } = fakeUnitOfWork({ runs: 3 });
  const done: string[] = [];
  let run = 0;
  await write(async () => {
    const name = `run ${(run += 1)}`;
    afterCommit('announce', () => void done.push(name));
  });
  expect(done).toEqual(['run 3']);
});
