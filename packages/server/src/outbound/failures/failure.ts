import type { AttemptErrorKind } from '@hubline/contract/constants';
import { tlsReason } from './tls-reason.ts';
import { TransportError, type TransportErrorCode } from './transport-error.ts';

/** The reason why an exchange gave no response. The message names no address, no host and nothing that was sent. */
export interface Failure {
  kind: AttemptErrorKind;
  message: string;
  /** The fault is this server's, such as too many open files: the other side must not be blamed. */
  localFailure: boolean;
}

// Errors of this side: its resources ran out, or its connections were closed.
const LOCAL_FAILURES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'ERR_POOL_DESTROYED',
]);

const CLOSED = ['reset', 'connection closed before a response'] as const;
const BLOCKED = ['blocked', 'blocked address'] as const;
const INVALID = ['protocol', 'the URL is not a valid target'] as const;
const TIMED_OUT = ['timeout', 'the connection timed out'] as const;

type Explanation = readonly [kind: AttemptErrorKind, message: string];

const OWN_CODES: Readonly<Record<TransportErrorCode, Explanation>> = {
  ERR_BLOCKED_TARGET: BLOCKED,
  ERR_CLOSED: CLOSED,
  ERR_CONNECT_TIMEOUT: TIMED_OUT,
  ERR_HEADERS_TOO_LARGE: ['protocol', 'the response headers are larger than 32 KiB'],
  ERR_INVALID_REQUEST: [
    'protocol',
    'the request cannot be sent: a header has characters that HTTP forbids, or belongs to the connection',
  ],
  ERR_NOT_HTTP: ['protocol', 'the response is not HTTP/1.1'],
  ERR_POOL_DESTROYED: ['connect', 'not sent: this server is stopping'],
  ERR_PROTOCOL_SWITCH: ['protocol', 'the response asks for another protocol, which was not offered'],
  ERR_RESPONSE_TOO_LONG: ['protocol', 'too much was sent before the response itself'],
};

const SYSTEM_CODES: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: ['dns', 'the host name does not resolve'],
  EAI_AGAIN: ['dns', 'the host name could not be resolved: the name server did not respond'],
  ENODATA: ['dns', 'the host name has no address'],
  ECONNREFUSED: ['connect', 'connection refused'],
  EHOSTUNREACH: ['connect', 'host unreachable'],
  ENETUNREACH: ['connect', 'network unreachable'],
  ETIMEDOUT: TIMED_OUT,
  ECONNRESET: ['reset', 'connection reset'],
  EPIPE: CLOSED,
};

/** The failure of a call that is not made, because of its URL. */
export function refusal(kind: 'invalid' | 'blocked'): Failure {
  const [failureKind, message] = kind === 'blocked' ? BLOCKED : INVALID;
  return { kind: failureKind, message, localFailure: false };
}

/** Describes a network error in words. `connected`: the connection was made and its handshake done. */
export function failureOf(error: Error & { code?: unknown }, connected: boolean): Failure {
  const cause = decisive(error);
  const code = codeOf(cause);
  const [kind, message] = explain(cause, code, connected);
  return { kind, message, localFailure: LOCAL_FAILURES.has(code) };
}

const codeOf = ({ code }: Error & { code?: unknown }): string => (typeof code === 'string' ? code : '');

/**
 * Of the errors of a name's addresses, the one that says most: an address of a family that this machine does not have says
 * nothing about the receiver.
 */
function decisive(error: Error): Error {
  if (!(error instanceof AggregateError)) return error;
  const errors = error.errors as readonly Error[];
  return errors.find((one) => !UNREACHABLE.has(codeOf(one))) ?? errors[0] ?? error;
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

function explain(error: Error, code: string, connected: boolean): Explanation {
  if (error instanceof TransportError) {
    const [kind, message] = OWN_CODES[error.code];
    return [kind, error.code === 'ERR_NOT_HTTP' ? `${message}: ${error.message}` : message];
  }
  const ofTls = tlsReason(code);
  if (ofTls !== null) return ['tls', ofTls];
  if (code === 'ECONNRESET' && !connected) return ['connect', 'connection reset while connecting'];
  const known = SYSTEM_CODES[code];
  if (known) return known;
  if (LOCAL_FAILURES.has(code)) return ['connect', `not sent: ${code}`];
  const failed = connected ? 'connection broken' : 'connection failed';
  return [connected ? 'reset' : 'connect', code ? `${failed}: ${code}` : failed];
}
