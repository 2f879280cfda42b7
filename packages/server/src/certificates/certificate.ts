import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate that can be served. */
export interface Certificate {
  /** The private key and the chain, in PEM, as one text, so that a swap cannot mix two certificates. */
  pem: string;
  issuedAt: Date;
  expiresAt: Date;
  /** SHA-256. */
  fingerprint: string;
}

/** Reads a key with its chain; `null` if they do not belong together, or are for another name. */
export function readCertificate(pem: string, domain: string): Certificate | null {
  try {
    const leaf = new X509Certificate(pem);
    createSecureContext({ key: pem, cert: pem });
    if (leaf.checkHost(domain) === undefined) return null;
    return {
      pem,
      issuedAt: new Date(leaf.validFrom),
      expiresAt: new Date(leaf.validTo),
      fingerprint: leaf.fingerprint256,
    };
  } catch {
    return null;
  }
}
