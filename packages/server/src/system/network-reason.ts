import { getSystemErrorMap } from 'node:util';

const CUT_OFF = 'the connection was cut off';
const NO_ROUTE = 'there is no route to it';
const LATE = 'no response came in time';
const UNTRUSTED = 'its certificate is not trusted';
const UNKNOWN_AUTHORITY = `${UNTRUSTED}: its authority is unknown here. Set NODE_EXTRA_CA_CERTS to a file with the authority's certificate`;
const NOT_TLS = 'it does not speak TLS';

/** The usual errors of a connection in words for the operator, by the codes of Node, of its `fetch` and of OpenSSL. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name cannot be resolved, because no name server responds',
  ECONNRESET: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ETIMEDOUT: LATE,
  UND_ERR_CONNECT_TIMEOUT: LATE,
  UND_ERR_HEADERS_TIMEOUT: LATE,
  UND_ERR_BODY_TIMEOUT: LATE,
  CERT_HAS_EXPIRED: `${UNTRUSTED}: it has expired`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${UNTRUSTED}: it is for another host`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  EPROTO: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
};

/** The errors of PostgreSQL's driver that have no code, by their messages. */
const DRIVER_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:timeout e|Connection terminated due to connection timeout)/, LATE],
  [/^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/, CUT_OFF],
  [/^(?:The server does not support SSL|There was an error establishing an SSL)/, NOT_TLS],
  [/client password must be a/, 'it asks for a password, and none is given'],
];

/**
 * The reason why another server could not be reached, in words that follow a colon: `nothing listens there`. `null` for an error that
 * is not of the network.
 */
export function networkReason(error: unknown): string | null {
  // A name with several addresses has an error for each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return null;
  if (first.name === 'TimeoutError') return LATE;
  const {
    code = '',
    originalCode = '',
    errno,
    cause,
    syscall,
  } = first as NodeJS.ErrnoException & { originalCode?: string };
  if (code === 'ENOENT' && syscall === 'connect') return 'there is no such socket';
  // Some libraries have their own codes, and keep the number or the first code.
  const name = errno === undefined ? '' : (getSystemErrorMap().get(errno)?.[0] ?? '');
  for (const each of [originalCode, code, name])
    if (Object.hasOwn(REASONS, each)) return REASONS[each] ?? null;
  const ofDriver = DRIVER_REASONS.find(([messages]) => messages.test(first.message))?.[1];
  return ofDriver ?? (cause === undefined ? null : networkReason(cause));
}
