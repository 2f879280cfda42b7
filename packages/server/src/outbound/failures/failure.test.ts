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

it.each([
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'the certificate is from an unknown authority, or its chain is incomplete',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the port does not speak TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the port does not speak TLS'],
  ['ERR_SSL_NO_CIPHERS_AVAILABLE', 'TLS failed'],
  ['EPROTO', 'TLS failed'],
  ['CERT_REVOKED', 'the certificate is not valid'],
])('says what is wrong with TLS, and keeps the code: %s', (code, reason) => {
  const failure = { kind: 'tls', message: `${reason} (${code})`, localFailure: false };
  expect(failureOf(coded(code), false)).toEqual(failure);
});
