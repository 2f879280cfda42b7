// OpenSSL's verification results and Node's own names for what goes wrong in a handshake.
const CODES =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|CRL_)/;

const OTHER_NAME = 'the certificate is for another name';
const UNKNOWN_AUTHORITY = 'the certificate is from an unknown authority, or its chain is incomplete';
const NOT_TLS = 'the port does not speak TLS';
const OLD = 'the receiver speaks only an old version of TLS';

/** The usual codes in words for the owner of the receiver. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  HOSTNAME_MISMATCH: OTHER_NAME,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the receiver asks for a client certificate',
};

/** The reason why TLS failed, with the code for a search. `null` for a code that is not of TLS. */
export function tlsReason(code: string): string | null {
  if (!CODES.test(code)) return null;
  const isOfHandshake = code.startsWith('ERR_') || code === 'EPROTO';
  const other = isOfHandshake ? 'TLS failed' : 'the certificate is not valid';
  return `${REASONS[code] ?? other} (${code})`;
}
