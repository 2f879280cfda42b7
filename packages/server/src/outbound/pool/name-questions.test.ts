import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NameQuestions } from './name-questions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Questions to servers that answer when the test says so. */
function start() {
  const asked: string[] = [];
  const open = new Map<string, (isAnswered: boolean) => void>();
  const answered: string[] = [];
  const unwanted = new Set<string>();
  const questions = new NameQuestions({
    answers(name) {
      asked.push(name);
      return new Promise((resolve) => void open.set(name, resolve));
    },
    isWanted: (name) => !unwanted.has(name),
    onAnswer: (name) => void answered.push(name),
  });
  const answer = async (name: string, isAnswered: boolean) => {
    open.get(name)?.(isAnswered);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { questions, asked, answered, unwanted, answer };
}

const names = (count: number, prefix = 'name') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

test('a name is asked once, however often it is added, until its servers answer', async () => {
  const { questions, asked, answered, answer } = start();
  for (const hasFailed of [false, false, true]) questions.add('a', hasFailed);
  expect(asked).toEqual(['a']);
  await answer('a', true);
  expect(answered).toEqual(['a']);
  questions.add('a', false);
  expect(asked).toEqual(['a', 'a']);
});

test('a name whose servers are silent is asked again after five seconds, while it is wanted', async () => {
  const { questions, asked, answered, unwanted, answer } = start();
  questions.add('a', false);
  await answer('a', false);
  await vi.advanceTimersByTimeAsync(4_999);
  questions.add('a', false);
  expect(asked).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['a', 'a']);
  unwanted.add('a');
  await answer('a', false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([asked, answered]).toEqual([['a', 'a'], []]);
  unwanted.clear();
  questions.add('a', false);
  expect(asked).toHaveLength(3);
});

test('at most 256 names are asked at once; one that takes a second makes room, and its answer still counts', async () => {
  const { questions, asked, answered, answer } = start();
  for (const name of names(300)) questions.add(name, false);
  expect(asked).toHaveLength(256);
  await answer('name-0', false);
  expect(asked).toHaveLength(257);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(257);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(300);
  await answer('name-1', true);
  expect(answered).toEqual(['name-1']);
});

test('names that have failed leave half of the questions to the others', async () => {
  const { questions, asked } = start();
  for (const name of names(300, 'failed')) questions.add(name, true);
  expect(asked).toHaveLength(128);
  for (const name of names(128, 'new')) questions.add(name, false);
  expect(asked.filter((name) => name.startsWith('new'))).toHaveLength(128);
  questions.add('late', false);
  await vi.advanceTimersByTimeAsync(1_000);
  // The first to be asked when there is room again.
  expect(asked[256]).toBe('late');
});
