import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { platform } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ConfigError, type ServerConfig } from '../../config/config.ts';
import { reachOf } from '../../outbound/target.ts';
import { fileReason } from '../../system/file-reason.ts';
import { shellWord } from '../../system/shell-word.ts';

const DAY_MS = 86_400_000;
// An operator who renews by hand needs some days for it.
const SOON_DAYS = 14;
const EVERYBODY = 0o007;

/** The certificate and key of a server that terminates TLS itself. Throws `ConfigError`. */
export function readTls({
  tlsCert,
  tlsKey,
  names,
}: Pick<ServerConfig, 'tlsCert' | 'tlsKey' | 'names'>): { cert: string; key: string } | null {
  if (tlsCert === undefined || tlsKey === undefined) return null;
  const pair = { cert: readPem(names.tlsCert, tlsCert), key: readPem(names.tlsKey, tlsKey) };
  const leaf = parsePem(CERTIFICATE, pair.cert, `${names.tlsCert} ${tlsCert}`);
  const key = parsePem(PRIVATE_KEY, pair.key, `${names.tlsKey} ${tlsKey}`);
  if (!leaf.checkPrivateKey(key))
    throw new ConfigError(
      `${names.tlsKey} ${tlsKey} is not the key of the certificate in ${names.tlsCert} ${tlsCert}. Name a certificate and its own key. If the certificate file is a chain, the server's certificate comes first.`,
    );
  try {
    createSecureContext(pair);
    return pair;
  } catch (error) {
    if (/too (?:small|weak)/.test((error as Error).message))
      throw new ConfigError(
        `The certificate of ${names.tlsCert} ${tlsCert} is too weak for TLS. Use one with an RSA key of 2,048 bits or an elliptic-curve key of 256 bits, signed with SHA-256.`,
        { cause: error },
      );
    throw new ConfigError(
      `HTTPS cannot be served with ${names.tlsCert} ${tlsCert} and ${names.tlsKey} ${tlsKey}: ${(error as Error).message}. Use another certificate and key.`,
      { cause: error },
    );
  }
}

function readPem(name: string, file: string): string {
  try {
    const found = statSync(file);
    // A pipe can be read only once, but these files are read twice; a device has no end.
    if (!found.isFile() && !found.isDirectory())
      throw new ConfigError(
        `${name} ${file} is a pipe or a device. Name a PEM file that this user may read.`,
      );
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `${name} ${file} cannot be read: ${fileReason(error)}. Name a PEM file that this user may read.`,
      { cause: error },
    );
  }
}

interface PemKind<Parsed> {
  readonly what: string;
  readonly begin: RegExp;
  /** The program that converts other formats to PEM. */
  readonly convert: string;
  readonly parse: (pem: string) => Parsed;
}

const CERTIFICATE: PemKind<X509Certificate> = {
  what: 'certificate',
  begin: /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m,
  convert: 'openssl x509',
  parse: (pem) => new X509Certificate(pem),
};
const PRIVATE_KEY: PemKind<KeyObject> = {
  what: 'private key',
  begin: /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/m,
  convert: 'openssl pkey',
  parse: (pem) => createPrivateKey(pem),
};
const ENCRYPTED = /^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m;

function parsePem<Parsed>(
  { what, begin, convert, parse }: PemKind<Parsed>,
  pem: string,
  named: string,
): Parsed {
  if (!begin.test(pem))
    throw new ConfigError(
      `${named} has no ${what} in PEM form, which begins with -----BEGIN. Name the file that has it. To convert another format: ${convert} -in FILE -out NEW.pem`,
    );
  if (ENCRYPTED.test(pem))
    throw new ConfigError(
      `${named} is encrypted, but the server has no passphrase for it. Decrypt it: ${convert} -in FILE -out NEW.pem`,
    );
  try {
    return parse(pem);
  } catch (error) {
    throw new ConfigError(`${named} has a damaged ${what}. Get it again from where it was made.`, {
      cause: error,
    });
  }
}

const WAYS_TO_HTTPS =
  '--behind-proxy if a proxy or a tunnel speaks HTTPS for it, or --domain to get a certificate.';

/**
 * Names the reasons for which clients would refuse this server's HTTPS, in sentences for the operator. Throws
 * `ConfigError` like `readTls`.
 */
export function tlsWarnings(config: ServerConfig, now: Date): string[] {
  const { tlsCert = '', tlsKey = '', domain, behindProxy, host, publicUrl = '', names } = config;
  const pair = readTls(config);
  const url = URL.parse(publicUrl);
  if (pair === null) {
    if (url?.protocol === 'http:' && reachOf(url.hostname) !== 'this machine')
      return [
        `${names.publicUrl} ${publicUrl} is plain HTTP. Every request from other machines over it is refused, because it would carry keys and sessions unencrypted. Use https://, and add ${WAYS_TO_HTTPS}`,
      ];
    if (domain !== undefined || behindProxy) return [];
    if (url?.protocol === 'https:')
      return [
        `${names.publicUrl} ${publicUrl} is HTTPS, but this server speaks plain HTTP. Add ${WAYS_TO_HTTPS}`,
      ];
    return reachOf(host) === 'this machine'
      ? []
      : [
          `${names.host} ${host} lets other machines connect, but all their requests are refused: this server speaks plain HTTP, which would carry keys and sessions unencrypted. Add ${WAYS_TO_HTTPS}`,
        ];
  }
  const leaf = new X509Certificate(pair.cert);
  const [from, to] = [new Date(leaf.validFrom), new Date(leaf.validTo)];
  const days = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  const named = `The certificate of ${names.tlsCert} ${tlsCert}`;
  const warnings: (string | false)[] = [
    now < from &&
      `${named} is only valid from ${dayOf(from)}, and today is ${dayOf(now)} here: clients refuse it until then. Check the clock, or use another.`,
    now > to && `${named} expired on ${dayOf(to)}: clients refuse it. Renew it, and restart the server.`,
    now <= to && days < SOON_DAYS && `${named} expires on ${dayOf(to)}. Renew it, and restart the server.`,
    leaf.subjectAltName === undefined &&
      `${named} has its name only in ${oneLine(leaf.subject)}. Clients look for a subjectAltName and refuse it. Use one that has it.`,
    url?.protocol === 'http:' &&
      `${names.publicUrl} ${publicUrl} is plain HTTP, but this server speaks HTTPS with ${names.tlsCert}. Use https://`,
    url !== null &&
      leaf.subjectAltName !== undefined &&
      !isFor(leaf, url.hostname) &&
      `${named} is for ${leaf.subjectAltName}, not for ${url.hostname} of ${names.publicUrl}: clients refuse it. Use a certificate for that name.`,
    platform() !== 'win32' &&
      (statSync(tlsKey).mode & EVERYBODY) !== 0 &&
      `Every user of this machine can read ${names.tlsKey} ${tlsKey}. Close it: chmod o= ${shellWord(tlsKey)}`,
  ];
  return warnings.filter((each) => each !== false);
}

/** Joins the parts of a name, which Node gives one per line. */
const oneLine = (subject: string): string => subject.replaceAll('\n', ', ');

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function isFor(leaf: X509Certificate, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (isIP(address) === 0 ? leaf.checkHost(address) : leaf.checkIP(address)) !== undefined;
}
