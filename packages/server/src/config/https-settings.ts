import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { GivenSettings } from './given-settings.ts';

/** The default authority: it only requires control of the name, and browsers and clients trust it. */
export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;
/** Settings that need a domain. */
const DOMAIN_SETTINGS = ['acmeEmail', 'acmeDirectory', 'httpsPort', 'httpPort'] as const;

/**
 * A name as it appears in certificates: lower case, other scripts in their ASCII form. Text that is not a name stays as it is.
 */
export function asDomain(text: string): string {
  const name = text.trim().replace(/\.$/, '');
  return /[\s:/*@?#\\]/.test(name) ? name : domainToASCII(name) || name;
}

/** The reason why no authority issues a certificate for a name; `null` for none. */
export function domainIssue(name: string): string | null {
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    return `must be a name: there are no certificates for the address ${name}. Point a name to it, such as hub.example.com`;
  if (name === 'localhost' || name.endsWith('.localhost'))
    return 'must be a name that others can look up: localhost is a different machine for each of them. For development, leave it out, or use a certificate with --tls-cert';
  if (NAME.test(name) && name.length <= MAX_LENGTH) return null;
  return 'must be one full name such as hub.example.com, without https://, port, path or *';
}

interface HttpsSettings {
  domain?: string | undefined;
  publicUrl?: string | undefined;
  behindProxy: boolean;
  tlsCert?: string | undefined;
  databaseUrl?: string | undefined;
  httpsPort: number;
  httpPort: number;
  httpThread: string;
}

type Named = keyof HttpsSettings | 'port' | (typeof DOMAIN_SETTINGS)[number];

/** A sentence about settings that conflict with a domain, or need one; `null` for none. */
export function httpsConflict(
  { domain, publicUrl, behindProxy, tlsCert, databaseUrl, httpsPort, httpPort, httpThread }: HttpsSettings,
  { values, names }: GivenSettings<Named>,
): string | null {
  if (domain === undefined) {
    const lonely = DOMAIN_SETTINGS.find((name) => values[name] !== undefined);
    return lonely === undefined ? null : `${names[lonely]} needs --domain (or HUBLINE_DOMAIN).`;
  }
  if (tlsCert !== undefined)
    return `${names.domain} gets a certificate automatically, and ${names.tlsCert} names one of yours. Use only one of them.`;
  if (behindProxy)
    return `${names.domain} and ${names.behindProxy} exclude each other: the certificate is the proxy's. Leave out ${names.domain}, and set --public-url.`;
  if (databaseUrl !== undefined)
    return `${names.domain} is for one server on SQLite, but ${names.databaseUrl} names PostgreSQL. Put servers on PostgreSQL behind a proxy that has the certificate: see "Behind a reverse proxy" in the self-hosting guide.`;
  if (values.port !== undefined)
    return `${names.port} cannot be combined with ${names.domain}. Use --https-port and --http-port instead.`;
  if (httpThread === 'on')
    return `${names.httpThread} on cannot be combined with ${names.domain}: the challenges of the certificate authority are answered on the main thread. Leave it out.`;
  if (httpsPort === httpPort && httpPort !== 0)
    return `${names.httpsPort} and ${names.httpPort} must differ, but both are ${httpPort}. Change one of them.`;
  if (publicUrl !== undefined && new URL(publicUrl).hostname !== domain)
    return `${names.publicUrl} must begin with https://${domain}, the name of ${names.domain}. Leave it out: ${names.domain} sets it.`;
  if (publicUrl?.startsWith('http:'))
    return `${names.publicUrl} must begin with https:// if ${names.domain} is given. Leave it out: ${names.domain} sets it.`;
  return null;
}
