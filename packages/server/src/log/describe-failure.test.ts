import { expect, it } from 'vitest';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { describeFailure } from './describe-failure.ts';

const failure = (message: string, code: string) => Object.assign(new Error(message), { code });

it('describes a failure of the system in a sentence with a cure, and a bug with its stack', () => {
  const full = new StorageUnavailable({ cause: failure('database or disk is full', 'SQLITE_FULL') });
  expect(describeFailure(full)).toEqual({
    reason:
      'The database cannot take writes at the moment. database or disk is full (SQLITE_FULL). Make room on the disk of the data directory.',
  });
  const refused = Object.assign(failure('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'), {
    address: '::1',
    port: 1,
  });
  const reached = '[::1]:1 cannot be reached: nothing listens there.';
  expect(describeFailure(refused)).toEqual({ reason: reached });
  expect(describeFailure(new StorageUnavailable({ cause: new AggregateError([refused]) }))).toEqual({
    reason: `The database cannot take writes at the moment. ${reached} Check that the PostgreSQL of HUBLINE_DATABASE_URL or --database-url is running and accepts connections.`,
  });
  for (const [message, reason] of [
    ['Connection terminated due to connection timeout', 'no response came in time'],
    ['Connection terminated unexpectedly', 'the connection was cut off'],
  ] as const)
    expect(describeFailure(new StorageUnavailable({ cause: new Error(message) }))).toEqual({
      reason: expect.stringContaining(` PostgreSQL cannot be reached: ${reason}. Check that`),
    });
  const bug = new TypeError('x is not a function');
  expect(describeFailure(bug)).toEqual({ err: bug });
});
