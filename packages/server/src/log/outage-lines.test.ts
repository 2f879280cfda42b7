import { expect, it } from 'vitest';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { OutageLines } from './outage-lines.ts';

const err = new StorageUnavailable({ cause: new Error('database or disk is full') });
const other = new StorageUnavailable({ cause: new Error('database is locked') });

let now = 0;
const lines = new OutageLines(() => now);

it.each<{ at: number; fields: object; message?: string; logged: object | null }>([
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
])('second $at: $fields', ({ at, fields, message = 'jobs could not be claimed', logged }) => {
  now = at * 1000;
  expect(lines.fieldsOf(fields, message)).toEqual(logged);
});
