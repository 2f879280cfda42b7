import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const SUBJECT_ALT_NAME = '2.5.29.17';
const HOUR_MS = 3_600_000;

interface Life {
  domain: string;
  from: Date;
  to: Date;
}

/** A root that signs certificates. */
export class TestRoot {
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: x509.X509Certificate;
  #serial = 1;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
  }

  static async make(): Promise<TestRoot> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Test root',
      notBefore: new Date(Date.now() - HOUR_MS),
      notAfter: new Date(Date.now() + HOUR_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestRoot(keys, certificate);
  }

  /** The root certificate, in PEM. */
  get pem(): string {
    return this.#certificate.toString('pem');
  }

  /**
   * Issues the certificate that a request asks for; `null` if the request is not signed by its own key, or not for this
   * domain alone.
   */
  async sign(
    request: Buffer,
    { domain, from, to }: Life,
  ): Promise<{ chain: string; fingerprint: string } | null> {
    const csr = new x509.Pkcs10CertificateRequest(request);
    const asked = csr.getExtension(SUBJECT_ALT_NAME) as x509.SubjectAlternativeNameExtension | null;
    const names = asked?.names.items.map(({ value }) => value);
    if (!(await csr.verify()) || names?.join() !== domain) return null;
    const chain = await this.#certify(csr.publicKey, { domain, from, to });
    return { chain, fingerprint: new X509Certificate(chain).fingerprint256 };
  }

  /** A key with its certificate, valid for an hour, in one text. */
  async issueFor(domain: string): Promise<{ pem: string }> {
    const keys = await newKeys();
    const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
      type: 'pkcs8',
      format: 'pem',
    });
    const from = new Date(Date.now() - HOUR_MS);
    const life = { domain, from, to: new Date(Date.now() + HOUR_MS) };
    return { pem: `${String(key)}${await this.#certify(keys.publicKey, life)}` };
  }

  async #certify(publicKey: x509.PublicKeyType, { domain, from, to }: Life): Promise<string> {
    this.#serial += 1;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: this.#serial.toString(16).padStart(4, '0'),
      subject: '',
      issuer: this.#certificate.subject,
      notBefore: from,
      notAfter: to,
      signingAlgorithm: ALGORITHM,
      publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: domain }], true)],
    });
    return certificate.toString('pem');
  }
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
