import { expect, it } from 'vitest';
import { z } from 'zod';
import { dictionary, list } from './common.ts';

/** An item that counts how often it is validated. */
function counted() {
  let validated = 0;
  const item = z.string().refine(() => (validated += 1) > 0);
  return { item, validated: () => validated };
}

it('refuses a list that is too long without validating its items', () => {
  const { item, validated } = counted();
  const schema = list(item, { max: 2 });
  expect(schema.parse(['a', 'b'])).toEqual(['a', 'b']);
  expect(validated()).toBe(2);
  expect(schema.safeParse(['a', 'b', 'c']).error?.issues).toEqual([
    { code: 'custom', path: [], message: 'must have at most 2 items' },
  ]);
  expect(validated()).toBe(2);
});

it('refuses a dictionary that is too large without validating its values', () => {
  const { item, validated } = counted();
  const schema = dictionary(item, 2);
  expect(schema.safeParse({ a: 'a', b: 'b', c: 'c' }).error?.issues).toMatchObject([
    { message: 'must have at most 2 fields' },
  ]);
  expect(validated()).toBe(0);
  expect(schema.parse({ a: 'a' })).toEqual({ a: 'a' });
});

it('refuses a list that is too short, with the message that it was given', () => {
  const schema = list(z.string(), { min: 1, rule: 'must not be empty', max: 2 });
  expect(schema.safeParse([]).error?.issues).toMatchObject([{ message: 'must not be empty' }]);
});

it('leaves a value that is not a list to the schema', () => {
  for (const value of ['abc', '', 7, null, undefined, {}]) {
    const { error } = list(z.string(), { min: 1, max: 2 }).safeParse(value);
    expect(error?.issues).toMatchObject([{ code: 'invalid_type' }]);
  }
});
