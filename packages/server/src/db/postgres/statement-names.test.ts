import { expect, it } from 'vitest';
import { StatementNames } from './statement-names.ts';

it('a statement has a name from its second time on', () => {
  const names = new StatementNames();
  expect([names.of('a'), names.of('b'), names.of('a'), names.of('b'), names.of('a')]).toEqual([
    undefined,
    undefined,
    'hubline_0',
    'hubline_1',
    'hubline_0',
  ]);
});

it('statements that come once use up no names, and none that has one loses it', () => {
  const names = new StatementNames();
  names.of('early');
  names.of('early');
  for (let length = 0; length < 2_000; length += 1) names.of(`in a list of ${length}`);
  expect(names.of('late')).toBeUndefined();
  expect(names.of('late')).toBe('hubline_1');
  expect(names.of('early')).toBe('hubline_0');
});

it('there are 500 names, and none for a text of more than 4,096 characters', () => {
  const names = new StatementNames();
  const again = (text: string) => [names.of(text), names.of(text)][1];
  expect(again('x'.repeat(4_097))).toBeUndefined();
  const given = Array.from({ length: 600 }, (_, index) => again(`statement ${index}`));
  expect(given.filter((name) => name !== undefined)).toHaveLength(500);
});
