import { expect, it } from 'vitest';
import { leaseEnd } from './lease.ts';

it.each([
  ['1970-01-01T00:00:00.000Z', '1970-01-01T00:01:00.000Z'],
  ['2026-01-02T03:00:00.001Z', '2026-01-02T03:01:00.001Z'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:59.999Z'],
])('a lease of %s ends at %s', (now, end) => {
  expect(leaseEnd(Date.parse(now))).toBe(Date.parse(end));
});
