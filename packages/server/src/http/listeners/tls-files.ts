import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { platform } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ConfigError, type ServerConfig } from '../../config/config.ts';
import { fileReason } from '../../system/file-reason.ts';

const DAY_MS = 86_400_000;
// Whoever renews by hand needs some days for it.
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
  try {
    // Node takes an empty file without an error, and then has no certificate.
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error('the key is that of another certificate');
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new ConfigError(
      `${names.tlsCert} and ${names.tlsKey} must name PEM files that belong together: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${name} ${file} cannot be read: ${fileReason(error)}. Name a PEM file that this user may read.`,
      { cause: error },
    );
  }
}

/** Names the reasons for which clients would refuse this server's HTTPS, in sentences for the operator. Throws `ConfigError` as `readTls`. */
export function tlsWarnings(config: ServerConfig, now: Date): string[] {
  const { tlsCert = '', tlsKey = '', domain, behindProxy, publicUrl = '', names } = config;
  const pair = readTls(config);
  const url = URL.parse(publicUrl);
  if (pair === null) {
    const isPlain = url?.protocol === 'https:' && domain === undefined && !behindProxy;
    return isPlain
      ? [
          `${names.publicUrl} ${publicUrl} is HTTPS, and this server speaks plain HTTP. Add --behind-proxy where a proxy or a tunnel speaks HTTPS for it; otherwise --domain gets a certificate.`,
        ]
      : [];
  }
  const leaf = new X509Certificate(pair.cert);
  const [from, to] = [new Date(leaf.validFrom), new Date(leaf.validTo)];
  const days = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  const named = `The certificate of ${names.tlsCert} ${tlsCert}`;
  const warnings: (string | false)[] = [
    now < from &&
      `${named} is valid from ${dayOf(from)} on, and it is ${dayOf(now)} here: clients refuse it until then. Check the clock, or take another.`,
    now > to && `${named} ended on ${dayOf(to)}: clients refuse it. Renew it, and start the server again.`,
    now <= to && days < SOON_DAYS && `${named} ends on ${dayOf(to)}. Renew it, and start the server again.`,
    url !== null &&
      !isFor(leaf, url.hostname) &&
      `${named} is for ${leaf.subjectAltName ?? leaf.subject}, and not for ${url.hostname} of ${names.publicUrl}: clients refuse it. Take one for that name.`,
    platform() !== 'win32' &&
      (statSync(tlsKey).mode & EVERYBODY) !== 0 &&
      `Every user of this machine may read ${names.tlsKey} ${tlsKey}. Close it: chmod o= ${tlsKey}`,
  ];
  return warnings.filter((each) => each !== false);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function isFor(leaf: X509Certificate, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (isIP(address) === 0 ? leaf.checkHost(address) : leaf.checkIP(address)) !== undefined;
}
