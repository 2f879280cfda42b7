import { expect, it } from 'vitest';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { OutageLines } from './outage-lines.ts';

const err = new StorageUnavailable({ cause: new Error('database or disk is full') });
const other = new StorageUnavailable({ cause: new Error('database is locked') });

interface Attempt {
  /** Seconds since the first line. */
  at: number;
  fields: object;
  message?: string;
  logged: object | null;
}

// One after another, because each line is judged by those before it.
const ATTEMPTS: readonly Attempt[] = [
  { at: 0, fields: { err }, logged: { err } },
  { at: 1, fields: { err }, logged: null },
  { at: 2, fields: { err }, message: 'the queue could not be swept', logged: { err } },
  { at: 3, fields: { err: other }, logged: { err: other } },
  { at: 4, fields: { err, delivery_id: 'dlv_1' }, logged: { err, delivery_id: 'dlv_1' } },
  { at: 5, fields: { err, delivery_id: 'dlv_1' }, logged: { err, delivery_id: 'dlv_1' } },
  { at: 59, fields: { err }, logged: null },
  { at: 60, fields: { err }, logged: { err, omitted: 2 } },
  { at: 61, fields: { err }, logged: null },
  { at: 119, fields: { err: new Error('A bug.') }, logged: { err: new Error('A bug.') } },
  { at: 119, fields: { err: new Error('A bug.') }, logged: { err: new Error('A bug.') } },
  // Another outage, after everything worked for a while.
  { at: 500, fields: { err }, logged: { err, omitted: 1 } },
  { at: 1000, fields: { err }, logged: { err } },
];

it('a failure without an ID is logged at once, then once a minute, with the number of those in between', () => {
  let now = 0;
  const lines = new OutageLines(() => now);
  for (const { at, fields, message = 'jobs could not be claimed', logged } of ATTEMPTS) {
    now = at * 1000;
    expect(lines.fieldsOf(fields, message), `second ${at}`).toEqual(logged);
  }
});
