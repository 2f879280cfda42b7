import { OutboundError } from '../outbound/outbound-error.ts';
import { AuthorityProblem } from './authority.ts';

/** The circumstances that the sentences name. */
interface Circumstances {
  domain: string;
  /** The authority, as people know it. */
  authority: string;
}

type Sentence = (circumstances: Circumstances) => string;

/** The common problems of RFC 8555, 6.7, each with its fix. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  dns: ({ domain, authority }) =>
    `${authority} finds no address for ${domain}. Create an A or AAAA record for it in your DNS that points to this machine.`,
  caa: ({ domain, authority }) =>
    `A CAA record in the DNS of ${domain} forbids ${authority} to issue a certificate. Add the authority to that record, or remove the record.`,
  rateLimited: ({ authority }) =>
    `${authority} has issued or refused too many certificates lately (rate limit). Leave the server running: it waits as long as needed. For tests, use the authority's staging environment: --acme-directory.`,
  rejectedIdentifier: ({ domain, authority }) =>
    `${authority} issues no certificates for ${domain}. Name a public domain with --domain.`,
  invalidContact: ({ authority }) =>
    `${authority} does not accept the address in --acme-email. Correct it, or leave it out.`,
  unsupportedContact: ({ authority }) =>
    `${authority} does not accept the address in --acme-email. Correct it, or leave it out.`,
  externalAccountRequired: ({ authority }) =>
    `${authority} requires an account made on its website, which Hubline cannot use. Name another authority with --acme-directory.`,
  unauthorized: ({ authority }) =>
    `${authority} refuses the account of this server, or its order. Remove account.pem in certificates in the data directory: the next attempt makes a new account.`,
  unsupported: ({ authority }) =>
    `${authority} offers no challenge that this server can answer (TLS-ALPN-01 or HTTP-01). Name another authority with --acme-directory.`,
  slow: ({ authority }) => `${authority} is slow. The order continues with the next attempt.`,
  serverInternal: ({ authority }) =>
    `${authority} is not working at the moment. Leave the server running: it tries again.`,
};
/** The problems of a challenge, which are about a port. The same types mean other things elsewhere. */
const CHALLENGE_SENTENCES: Readonly<
  Record<string, (circumstances: Circumstances & { port: string }) => string>
> = {
  connection: ({ domain, authority, port }) =>
    `${authority} cannot reach ${domain} on port ${port}. Point its DNS to this machine, and let ports 80 and 443 through firewall and router.`,
  unauthorized: ({ domain, authority, port }) =>
    `${authority} did not get the response of this server at ${domain}, port ${port}: another server responds there, or none. Point its DNS, including AAAA records, only to this machine, with no proxy in between, and let ports 80 and 443 through.`,
};
/** Types that share a sentence. */
const SAME: Readonly<Record<string, string>> = { tls: 'connection', incorrectResponse: 'unauthorized' };

const PORTS = { 'tls-alpn-01': '443', 'http-01': '80' };

const OUT_OF_DATE = /CERT_(?:NOT_YET_VALID|HAS_EXPIRED)/;
const UNKNOWN_ROOT = /SELF_SIGNED|UNABLE_TO_|INVALID_CA/;

/** Says what to do when an authority cannot be reached. Errors of TLS have the code of OpenSSL in their message. */
function cureOf({ kind, message }: OutboundError): string {
  if (kind !== 'tls') return 'Check the network and the DNS of this machine, and --acme-directory.';
  if (OUT_OF_DATE.test(message))
    return 'By the clock of this machine, the certificate of the authority is not valid now. Set the clock; if it is right, the authority has to renew.';
  if (UNKNOWN_ROOT.test(message))
    return 'Its root certificate is not known here. Put it in a file, and start the server with NODE_EXTRA_CA_CERTS set to the path.';
  return 'Check --acme-directory, and that nothing in between answers for it.';
}

/** Says why there is no certificate, and what to do about it. Ends with the authority's own words. */
export function explainProblem(error: unknown, { domain, authority }: Circumstances): string {
  if (error instanceof OutboundError)
    return `${authority} cannot be reached: ${error.message}. ${cureOf(error)}`;
  if (!(error instanceof AuthorityProblem))
    return `The certificate of ${domain} could not be renewed: ${error instanceof Error ? error.message : String(error)}.`;
  const { type, message: detail, challenge } = error;
  if (type === 'directory')
    return `--acme-directory must be the directory of an authority that supports ACME; ${authority} does not: ${detail}. Correct it, or leave it out for Let's Encrypt.`;
  if (type === 'clock') return `${detail}. Set the clock of this machine.`;
  const kind = SAME[type] ?? type;
  const sentence =
    (challenge && CHALLENGE_SENTENCES[kind]?.({ domain, authority, port: PORTS[challenge] })) ??
    SENTENCES[kind]?.({ domain, authority });
  if (sentence === undefined) return `${authority} issues no certificate (${type}): ${detail}.`;
  return `${sentence} It said: ${detail || type}`;
}
