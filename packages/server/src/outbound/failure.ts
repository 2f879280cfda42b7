import type { ATTEMPT_ERROR_KINDS } from '@hubline/contract/constants';

/** The reason why there was no usable HTTP response, in the words of the contract. */
export type FailureKind = (typeof ATTEMPT_ERROR_KINDS)[number];

/** The reason why an exchange gave no response. The message names no address, no host and nothing that was sent. */
export interface Failure {
  kind: FailureKind;
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
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

const BY_CODE: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ERR_BLOCKED_TARGET: ['blocked', 'blocked address'],
  ENOTFOUND: ['dns', 'the host name does not resolve'],
  EAI_AGAIN: ['dns', 'the host name could not be resolved: the name server did not respond'],
  ENODATA: ['dns', 'the host name has no address'],
  ECONNREFUSED: ['connect', 'connection refused'],
  EHOSTUNREACH: ['connect', 'host unreachable'],
  ENETUNREACH: ['connect', 'network unreachable'],
  ETIMEDOUT: ['timeout', 'the connection timed out'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'the connection timed out'],
  ECONNRESET: ['reset', 'connection reset'],
  EPIPE: ['reset', 'connection closed before a response'],
  ERR_RESPONSE_TOO_LONG: ['protocol', 'too much was sent before the response itself'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'protocol',
    'the response is not HTTP/1.1: it contradicts itself about its length',
  ],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'the response headers are larger than 16 KiB'],
  UND_ERR_INVALID_ARG: [
    'protocol',
    'the request cannot be sent: a header or the path has characters that HTTP forbids',
  ],
};

// OpenSSL's verification results and Node's own names for what goes wrong in a handshake.
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|CRL_)/;

/** Describes a network error in words. `connected`: the connection was made and its handshake done. */
export function failureOf(error: Error & { code?: unknown }, connected: boolean): Failure {
  const code = typeof error.code === 'string' ? error.code : '';
  const [kind, message] = explain(error, code, connected);
  return { kind, message, localFailure: LOCAL_FAILURES.has(code) };
}

function explain(error: Error, code: string, connected: boolean): readonly [FailureKind, string] {
  if (TLS.test(code)) return ['tls', `TLS: ${code}`];
  if (code === 'UND_ERR_SOCKET') {
    // undici has the same code for a closed socket and an unexpected response (1xx, upgrade).
    return error.message.startsWith('bad ')
      ? [
          'protocol',
          'the response does not belong to this request: an unexpected 100 Continue or a protocol upgrade',
        ]
      : ['reset', 'connection closed before a response'];
  }
  if (code === 'ECONNRESET' && !connected) return ['connect', 'connection reset while connecting'];
  const known = BY_CODE[code];
  if (known) return known;
  if (LOCAL_FAILURES.has(code)) return ['connect', `not sent: ${code}`];
  if (!connected) return ['connect', code ? `connection failed: ${code}` : 'connection failed'];
  const reason = parserReason(error);
  return ['protocol', `the response is not HTTP/1.1${reason === null ? '' : `: ${reason}`}`];
}

// The parser's error, in llhttp's own words and none of the receiver's. undici has it only in the message: the code,
// which it looks up by number in a table of names, is always undefined.
function parserReason({ name, message }: Error): string | null {
  return name === 'HTTPParserError' ? (/\(([^()]+)\)$/.exec(message)?.[1] ?? null) : null;
}
