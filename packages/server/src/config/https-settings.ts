import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { GivenSettings } from './given-settings.ts';

/** The authority that asks for no more than control of the name, and that browsers and clients trust. */
export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;
/** Settings that mean something with a domain only. */
const OF_DOMAIN = ['acmeEmail', 'acmeDirectory', 'httpsPort', 'httpPort'] as const;

/** A name as certificates have it: lower case, other scripts in their ASCII form. What is no name stays as it is. */
export function asDomain(text: string): string {
  const name = text.trim().replace(/\.$/, '');
  return /[\s:/*@?#\\]/.test(name) ? name : domainToASCII(name) || name;
}

/** The reason for which no authority gives a certificate for a name; `null` for none. */
export function domainIssue(name: string): string | null {
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    return `must be a name: no certificate is given for the address ${name}. Point a name to it, such as hub.example.com`;
  if (name === 'localhost' || name.endsWith('.localhost'))
    return 'must be a name that others can look up: localhost means each machine itself. For development leave it out, or give a certificate with --tls-cert';
  if (NAME.test(name) && name.length <= MAX_LENGTH) return null;
  return 'must be one whole name such as hub.example.com, without https://, port, path or *';
}

interface HttpsSettings {
  domain?: string | undefined;
  publicUrl?: string | undefined;
  behindProxy: boolean;
  tlsCert?: string | undefined;
  databaseUrl?: string | undefined;
  httpsPort: number;
  httpPort: number;
}

type Named = keyof HttpsSettings | 'port' | (typeof OF_DOMAIN)[number];

/** The sentence about settings that do not go together with a domain, or need one; `null` for none. */
export function httpsConflict(
  { domain, publicUrl, behindProxy, tlsCert, databaseUrl, httpsPort, httpPort }: HttpsSettings,
  { values, names }: GivenSettings<Named>,
): string | null {
  if (domain === undefined) {
    const lonely = OF_DOMAIN.find((name) => values[name] !== undefined);
    return lonely === undefined ? null : `${names[lonely]} needs --domain (or HUBLINE_DOMAIN).`;
  }
  if (tlsCert !== undefined)
    return `${names.domain} gets a certificate by itself, and ${names.tlsCert} brings one: give one of the two.`;
  if (behindProxy)
    return `${names.domain} and ${names.behindProxy} exclude each other: the proxy has the certificate. Leave out ${names.domain}, and give --public-url.`;
  if (databaseUrl !== undefined)
    return `${names.domain} is for one server on SQLite, and ${names.databaseUrl} names PostgreSQL. Its servers share a name behind a proxy, which has the certificate: see "Behind a reverse proxy" in the guide to self-hosting.`;
  if (values.port !== undefined)
    return `${names.port} does not go with ${names.domain}. Leave it out, and use --https-port and --http-port.`;
  if (httpsPort === httpPort && httpPort !== 0)
    return `${names.httpsPort} and ${names.httpPort} must differ, and both are ${httpPort}. Give one of them another port.`;
  if (publicUrl !== undefined && new URL(publicUrl).hostname !== domain)
    return `${names.publicUrl} must begin with https://${domain}, the name of ${names.domain}. Leave it out: it follows from that.`;
  if (publicUrl?.startsWith('http:'))
    return `${names.publicUrl} must begin with https:// where ${names.domain} is given. Leave it out: it follows from that.`;
  return null;
}
