import { expect, it } from 'vitest';
import { failureOf } from './failure.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });

it.each<[codes: string[], kind: string, message: string, localFailure: boolean]>([
  [['ENETUNREACH', 'ECONNREFUSED'], 'connect', 'connection refused', false],
  [['ECONNREFUSED', 'EADDRNOTAVAIL'], 'connect', 'connection refused', false],
  [['ETIMEDOUT', 'ENETUNREACH'], 'timeout', 'the connection timed out', false],
  [['EADDRNOTAVAIL', 'EADDRNOTAVAIL'], 'connect', 'not sent: EADDRNOTAVAIL', true],
  [[], 'connect', 'connection failed', false],
])('of the addresses of a name, %j: %s, %s', (codes, kind, message, localFailure) => {
  const error = new AggregateError(codes.map(coded));
  expect(failureOf(error, false)).toEqual({ kind, message, localFailure });
});
