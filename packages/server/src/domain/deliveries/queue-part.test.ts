import { expect, it } from 'vitest';
import { partOf, QUEUE_PARTS } from './queue-part.ts';

it.each([
  ['pending', 'initial'],
  ['retrying', 'retry'],
  // One that ended is open again when it is sent by hand.
  ['failed', 'retry'],
  ['delivered', 'retry'],
])('a delivery that is %s waits in the part %s', (status, part) => {
  expect(partOf({ status })).toBe(part);
  expect(QUEUE_PARTS).toContain(part);
});

it('there are two parts', () => {
  expect(QUEUE_PARTS).toEqual(['initial', 'retry']);
});
