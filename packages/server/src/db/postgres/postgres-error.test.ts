import pg from 'pg';
import { expect, it } from 'vitest';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { postgresError } from './postgres-error.ts';

it('a transaction that the database ended because its process stood still may run again', () => {
  const timeout = 'terminating connection due to idle-in-transaction timeout';
  const error = Object.assign(new pg.DatabaseError(timeout, timeout.length, 'error'), {
    severity: 'FATAL',
    code: '25P03',
  });
  expect(postgresError(error)).toBeInstanceOf(StorageUnavailable);
});
