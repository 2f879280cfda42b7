import { expect, it } from 'vitest';
import { Conditions } from './conditions.ts';

const ofSize = (character: string, length: number) => ({
  any: Array.from({ length: 10 }, () => ({
    field: 'event.payload.title',
    op: 'eq',
    value: character.repeat(length),
  })),
});

it('measures conditions in bytes of UTF-8', () => {
  const issuesOf = (value: unknown) =>
    Conditions.safeParse(value).error?.issues.map(({ message }) => message);
  expect(issuesOf(ofSize('a', 1_000))).toBeUndefined();
  expect(issuesOf(ofSize('語', 400))).toBeUndefined();
  expect(issuesOf(ofSize('語', 1_000))).toEqual(['must have at most 16 KiB']);
});
