import SQLite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WriteQueue } from './write-queue.ts';

/** A database on which these statements fail. `onRun` sees each one that does not. */
function damaged(broken: ReadonlySet<string>, onRun: (sql: string) => void = () => {}): SQLite.Database {
  const database = new SQLite(':memory:');
  onTestFinished(() => void database.close());
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const run = statement.run.bind(statement);
    statement.run = (...values: unknown[]) => {
      if (broken.has(sql)) throw new Error(`${sql} failed`);
      onRun(sql);
      return run(...values);
    };
    return statement;
  }) as typeof database.prepare;
  return database;
}

/** Makes time pass only when it is told to. */
function clock(): (ms: number) => void {
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return (ms) => void (now += ms);
}

it('rejects all units when a transaction can be neither committed nor rolled back, and stores nothing from then on', async () => {
  const broken = new Set(['COMMIT', 'ROLLBACK']);
  const failures: Error[] = [];
  const queue = new WriteQueue(damaged(broken), { onFailure: (failure) => failures.push(failure) });
  const units = await Promise.allSettled([1, 2, 3].map((unit) => queue.add(() => Promise.resolve(unit))));
  expect(units.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(failures).toMatchObject([{ name: 'DiskFailure', cause: { message: 'ROLLBACK failed' } }]);
  await queue.drain();

  // Nothing in the open transaction may be promised to anybody.
  broken.clear();
  await expect(queue.add(() => Promise.resolve('late'))).rejects.toThrow('ROLLBACK failed');
  await queue.drain();
});

it('continues after a commit that failed', async () => {
  const broken = new Set(['COMMIT']);
  const queue = new WriteQueue(damaged(broken));
  await expect(queue.add(() => Promise.resolve('lost'))).rejects.toThrow('COMMIT failed');
  broken.clear();
  expect(await queue.add(() => Promise.resolve('kept'))).toBe('kept');
  await queue.drain();
});

it('yields to the event loop between the units of a long group, and settles all of them after its commit', async () => {
  const pass = clock();
  const queue = new WriteQueue(damaged(new Set()));
  const seen: string[] = [];
  const busy = (name: string) => () => {
    pass(3);
    seen.push(name);
    if (name === 'first') setImmediate(() => seen.push('a request that reads'));
    return Promise.resolve();
  };
  const units = ['first', 'second', 'third'].map(async (name) => {
    await queue.add(busy(name));
    seen.push(`result of the ${name}`);
  });
  await Promise.all(units);
  const results = ['result of the first', 'result of the second', 'result of the third'];
  expect(seen).toEqual(['first', 'a request that reads', 'second', 'third', ...results]);
});

it('yields to the event loop between a long unit and its commit', async () => {
  const pass = clock();
  const seen: string[] = [];
  const queue = new WriteQueue(damaged(new Set(), (sql) => seen.push(sql)));
  await queue.add(() => {
    setImmediate(() => seen.push('a request that reads'));
    pass(25);
    return Promise.resolve();
  });
  expect(seen).toEqual(['BEGIN IMMEDIATE', 'a request that reads', 'COMMIT']);
});

it('commits what a group has done in its time, and makes the rest of it the next group', async () => {
  const pass = clock();
  const commits: number[] = [];
  const queue = new WriteQueue(damaged(new Set()), { onCommit: (units) => commits.push(units) });
  const busy = () => {
    pass(60);
    return Promise.resolve();
  };
  await Promise.all([1, 2, 3].map(() => queue.add(busy)));
  expect(commits).toEqual([1, 1, 1]);
});

it('runs an urgent unit before those that came first', async () => {
  const queue = new WriteQueue(damaged(new Set()));
  const ran: string[] = [];
  const others = ['a', 'b'].map((name) => queue.add(() => ran.push(name)));
  await Promise.all([...others, queue.add(() => ran.push('urgent'), { urgent: true })]);
  expect(ran).toEqual(['urgent', 'a', 'b']);
});

it('runs an urgent unit that comes during a long group before the rest of that group', async () => {
  const pass = clock();
  const queue = new WriteQueue(damaged(new Set()));
  const ran: string[] = [];
  const urgent: Promise<unknown>[] = [];
  const long = (name: string) => () => {
    pass(20);
    if (name === 'first') urgent.push(queue.add(() => ran.push('result'), { urgent: true }));
    ran.push(name);
  };
  await Promise.all(['first', 'second', 'third'].map((name) => queue.add(long(name))));
  await Promise.all(urgent);
  expect(ran).toEqual(['first', 'result', 'second', 'third']);
});
