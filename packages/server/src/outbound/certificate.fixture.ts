import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key, in PEM, as `tls.createServer` takes them. */
export interface Certificate {
  cert: string;
  key: string;
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551d13';
const SUBJECT_ALT_NAME = '0603551d11';

/** Makes a self-signed certificate. Node has none to offer, and secret scanners report a key in a repository. */
export function makeCertificate(
  host: string,
  validYears: [from: number, to: number],
  { hasAltName = true, namedCurve = 'P-256' }: { hasAltName?: boolean; namedCurve?: string } = {},
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  const algorithm = sequence(hex(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(hex(COMMON_NAME), der(0x0c, Buffer.from(host)))));
  const altName = sequence(hex(SUBJECT_ALT_NAME), der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(...validYears.map((year) => der(0x18, Buffer.from(`${year}0101000000Z`)))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(hex(BASIC_CONSTRAINTS), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
        ...(hasAltName ? [altName] : []),
      ),
    ),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', toBeSigned, privateKey)]));
  const base64 = sequence(toBeSigned, algorithm, signature)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function sequence(...items: Buffer[]): Buffer {
  return der(0x30, ...items);
}

function der(tag: number, ...items: Buffer[]): Buffer {
  const content = Buffer.concat(items);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
