import { EventSummary } from '@hubline/contract';
import { expect } from 'vitest';
import type { Received } from './provider.ts';

const ODD: readonly unknown[] = [
  null,
  0,
  1e300,
  true,
  '',
  'x',
  '\ud800\0<b>&nbsp;',
  'y'.repeat(10_000),
  [],
  [null],
  {},
  { constructor: 1, toString: 2 },
];

/** The same payload with each of its values, one at a time, replaced by each of the odd ones. */
export function* oddPayloads(payload: unknown): Generator {
  for (const odd of ODD) yield odd;
  if (typeof payload !== 'object' || payload === null) return;
  for (const [name, value] of Object.entries(payload)) {
    for (const odd of oddPayloads(value)) {
      const copy = Array.isArray(payload) ? [...(payload as unknown[])] : { ...payload };
      yield Object.assign(copy, { [name]: odd });
    }
  }
}

/** The event that a call became. Expects a summary that the contract allows. */
export function eventOf(received: Received): Received & { kind: 'event' } {
  if (received.kind !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  const { type, summary, dedupeKey } = received;
  expect(EventSummary.strict().parse(summary)).toEqual(summary);
  expect([...(summary.text ?? '')].length).toBeLessThanOrEqual(280);
  expect(type).toMatch(/^[A-Za-z\d][\w.:-]{0,99}$/);
  // PostgreSQL stores no NUL, and no key that its index cannot hold.
  expect(dedupeKey).toMatch(/^[\x20-\x7e]{1,300}$/);
  for (const url of [summary.subject?.url, summary.container?.url])
    expect(url ?? 'https://').toMatch(/^https?:\/\//);
  return received;
}
