import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NameLookups } from './name-lookups.ts';

const at = (address: string) => [{ address, family: 4 }];
const errorOf = (code: string) => Object.assign(new Error(code), { code });

/**
 * Lookups of a system that answers when the test says so, name servers that answer at once for the names in `answering`, and a clock that
 * the test sets.
 */
function lookupsOf({ slots = 2, patienceMs = 5, answering = [] as readonly string[] } = {}) {
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<ReturnType<typeof at>>>();
  const clock = { now: 0 };
  const lookups = new NameLookups(
    (name) => {
      asked.push(name);
      const answer = Promise.withResolvers<ReturnType<typeof at>>();
      open.set(name, answer);
      return answer.promise;
    },
    { slots, now: () => clock.now, patienceMs, answers: async (name) => answering.includes(name) },
  );
  return {
    asked,
    clock,
    resolve: lookups.resolve,
    async answer(name: string, result: ReturnType<typeof at> | Error) {
      if (result instanceof Error) open.get(name)?.reject(result);
      else open.get(name)?.resolve(result);
      await turn();
    },
    /** Makes a name known. */
    async know(name: string) {
      const first = lookups.resolve(name);
      open.get(name)?.resolve(at('1.1.1.1'));
      await first;
      asked.length = 0;
    },
    /** Makes a name one that has failed, longer ago than a failure stands. */
    async fail(name: string, code = 'EAI_AGAIN') {
      const first = lookups.resolve(name);
      open.get(name)?.reject(errorOf(code));
      await expect(first).rejects.toThrow();
      clock.now += 5_000;
      asked.length = 0;
    },
  };
}

/** Asks for names whose answers nobody in the test waits for. */
const ask = (resolve: (name: string) => Promise<unknown>, ...names: string[]) => {
  for (const name of names) resolve(name).catch(() => undefined);
};

test('all who ask for a name at the same time share one lookup', async () => {
  const { resolve, asked, answer } = lookupsOf();
  const both = Promise.all([resolve('a'), resolve('a')]);
  await answer('a', at('8.8.8.8'));
  expect(await both).toEqual([at('8.8.8.8'), at('8.8.8.8')]);
  expect(asked).toEqual(['a']);
  // The next one asks again: an answer is not kept for its own sake.
  ask(resolve, 'a');
  expect(asked).toEqual(['a', 'a']);
});

test('a failure stands for five seconds, and then the name is looked up again', async () => {
  const { resolve, asked, answer, clock } = lookupsOf();
  const first = resolve('a');
  await Promise.all([expect(first).rejects.toThrow('ENOTFOUND'), answer('a', errorOf('ENOTFOUND'))]);
  clock.now = 4_999;
  await expect(resolve('a')).rejects.toThrow('ENOTFOUND');
  expect(asked).toEqual(['a']);
  clock.now = 5_000;
  ask(resolve, 'a');
  expect(asked).toEqual(['a', 'a']);
});

test('a name whose servers answer never waits for names whose servers do not, even if nothing is known of it', async () => {
  const { resolve, asked, answer } = lookupsOf({ answering: ['good', 'better'] });
  ask(resolve, 'dead-1', 'dead-2', 'dead-3');
  await turn();
  expect(asked).toEqual(['dead-1']);
  ask(resolve, 'good', 'better');
  await turn();
  expect(asked).toEqual(['dead-1', 'good']);
  await answer('good', at('8.8.8.8'));
  expect(asked).toEqual(['dead-1', 'good', 'better']);
});

test('names that die together, although they resolved before, keep one slot free', async () => {
  const { resolve, asked, know } = lookupsOf({ answering: ['good'] });
  await know('dead-1');
  await know('dead-2');
  ask(resolve, 'dead-1', 'dead-2');
  await turn();
  ask(resolve, 'good');
  await turn();
  expect(asked).toEqual(['dead-1', 'good']);
});

test('the servers of a name that gets a slot at once are not asked', async () => {
  const servers: string[] = [];
  const lookups = new NameLookups(() => new Promise(() => {}), {
    slots: 2,
    answers: async (name) => servers.push(name) > 0,
  });
  ask(lookups.resolve, 'a', 'b');
  await turn();
  expect(servers).toEqual(['b']);
});

test.each([0, 5_000])(
  'a stop ends the questions about names that wait, %i ms after the last one',
  async (ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const servers: string[] = [];
    const lookups = new NameLookups(() => new Promise(() => {}), {
      slots: 2,
      answers: async (name) => servers.push(name) < 0,
    });
    ask(lookups.resolve, 'a', 'b');
    await vi.advanceTimersByTimeAsync(ms);
    const before = [...servers];
    lookups.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([servers, vi.getTimerCount()]).toEqual([before, 0]);
  },
);

test('a new name comes before those that failed, and waits for the one that runs', async () => {
  const { resolve, asked, answer, fail } = lookupsOf();
  for (const name of ['dead-1', 'dead-2', 'dead-3']) await fail(name);
  ask(resolve, 'dead-1', 'dead-2', 'dead-3', 'new');
  expect(asked).toEqual(['dead-1']);
  await answer('dead-1', errorOf('EAI_AGAIN'));
  expect(asked).toEqual(['dead-1', 'new']);
  await answer('new', at('8.8.8.8'));
  expect(asked).toEqual(['dead-1', 'new', 'dead-2']);
});

test('a name that resolved before and fails now waits with those that fail, until it resolves again', async () => {
  const { resolve, asked, answer, know, clock } = lookupsOf();
  for (const name of ['dead-1', 'dead-2']) {
    await know(name);
    ask(resolve, name);
    await answer(name, errorOf('EAI_AGAIN'));
  }
  clock.now += 5_000;
  asked.length = 0;
  ask(resolve, 'dead-1', 'dead-2', 'new');
  expect(asked).toEqual(['dead-1']);
  await answer('dead-1', at('8.8.8.8'));
  expect(asked).toEqual(['dead-1', 'new']);
  // It resolves again, so it waits no longer for those that failed.
  ask(resolve, 'dead-1');
  await answer('new', at('8.8.8.8'));
  expect(asked).toEqual(['dead-1', 'new', 'dead-1']);
});

test('a name whose servers answer and whose lookup takes long counts among those that may be dead', async () => {
  const { resolve, asked, answer, clock } = lookupsOf({ answering: ['hanging', 'good'] });
  ask(resolve, 'first', 'hanging');
  await turn();
  expect(asked).toEqual(['first', 'hanging']);
  clock.now += 5;
  await answer('first', at('8.8.8.8'));
  // One slot is free, and kept.
  ask(resolve, 'new');
  await turn();
  expect(asked).toEqual(['first', 'hanging']);
  ask(resolve, 'good');
  await turn();
  expect(asked).toEqual(['first', 'hanging', 'good']);
  await answer('hanging', errorOf('EAI_AGAIN'));
  expect(asked).toEqual(['first', 'hanging', 'good', 'new']);
});

test.each([
  [1, ['a']],
  [2, ['a']],
  [4, ['a', 'b', 'c']],
])('of %d slots, names whose servers are silent use all but one', (slots, running) => {
  const { resolve, asked } = lookupsOf({ slots });
  ask(resolve, 'a', 'b', 'c', 'd');
  expect(asked).toEqual(running);
});

test('a name whose lookup hung and failed, although its servers answer, is not preferred again for five minutes', async () => {
  const { resolve, asked, answer, clock } = lookupsOf({ answering: ['trap', 'good'] });
  ask(resolve, 'dead', 'trap');
  await turn();
  expect(asked).toEqual(['dead', 'trap']);
  clock.now += 10_000;
  await answer('trap', errorOf('EAI_AGAIN'));
  clock.now += 5_000;
  ask(resolve, 'trap');
  await turn();
  expect(asked).toEqual(['dead', 'trap']);
  ask(resolve, 'good');
  await turn();
  expect(asked).toEqual(['dead', 'trap', 'good']);
  await answer('good', at('8.8.8.8'));
  clock.now += 5 * 60_000;
  ask(resolve, 'dead', 'trap');
  await turn();
  expect(asked).toEqual(['dead', 'trap', 'good', 'trap']);
});

test('a name whose lookup takes long gets its last answer, until that is five minutes old', async () => {
  const { resolve, asked, know, clock } = lookupsOf();
  await know('good');
  clock.now = 299_999;
  expect(await resolve('good')).toEqual(at('1.1.1.1'));
  clock.now = 300_000;
  let late = false;
  void resolve('good').then(() => (late = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([late, asked]).toEqual([false, ['good']]);
});

test('a new answer wins over the last one', async () => {
  const { resolve, know, answer } = lookupsOf({ patienceMs: 10_000 });
  await know('good');
  const second = resolve('good');
  await answer('good', at('2.2.2.2'));
  expect(await second).toEqual(at('2.2.2.2'));
});

test.each([
  ['EAI_AGAIN', at('1.1.1.1')],
  ['ENOTFOUND', 'fails'],
])('after a lookup that failed with %s, the last answer: %j', async (code, outcome) => {
  const { resolve, know, answer, clock } = lookupsOf({ patienceMs: 10_000 });
  await know('good');
  const result = () => resolve('good').catch(() => 'fails');
  const first = result();
  await answer('good', errorOf(code));
  expect(await first).toEqual(outcome);
  clock.now += 4_999;
  expect(await result()).toEqual(outcome);
});

test('a lookup that nobody waits for any longer is not made', async () => {
  const { resolve, asked, answer, clock } = lookupsOf();
  ask(resolve, 'dead');
  const forgotten = resolve('forgotten');
  clock.now = 30_000;
  ask(resolve, 'wanted');
  await Promise.all([
    expect(forgotten).rejects.toMatchObject({ code: 'EAI_AGAIN' }),
    answer('dead', errorOf('EAI_AGAIN')),
  ]);
  expect(asked).toEqual(['dead', 'wanted']);
  // It has not failed: the next one who asks for it waits.
  await answer('wanted', at('8.8.8.8'));
  ask(resolve, 'forgotten');
  expect(asked).toEqual(['dead', 'wanted', 'forgotten']);
});
