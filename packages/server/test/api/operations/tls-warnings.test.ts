import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseStartConfig, tlsWarnings } from '../../../src/index.ts';
import { makeCertificate } from '../../../src/outbound/certificate.fixture.ts';

it('names what clients would refuse about a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubline-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const { cert, key } = makeCertificate('hub.example.com', [2030, 2040]);
  writeFileSync(tlsCert, cert);
  writeFileSync(tlsKey, key, { mode: 0o640 });
  const warn = (day: string, publicUrl = 'https://hub.example.com') =>
    tlsWarnings(parseStartConfig({ tlsCert, publicUrl }, { HUBLINE_TLS_KEY: tlsKey }), new Date(day));
  const one = (text: string) => [expect.stringContaining(text)];

  expect(warn('2035-01-01')).toEqual([]);
  expect(warn('2029-12-31')).toEqual(
    one(`${tlsCert} is only valid from 2030-01-01, and today is 2029-12-31`),
  );
  expect(warn('2039-12-25')).toEqual(one('expires on 2040-01-01. Renew it'));
  expect(warn('2040-01-02')).toEqual(
    one(`--tls-cert ${tlsCert} expired on 2040-01-01: clients refuse it. Renew`),
  );
  const elsewhere = 'is for DNS:hub.example.com, not for www.example.com of --public-url';
  expect(warn('2035-01-01', 'https://www.example.com')).toEqual(one(elsewhere));
  expect(warn('2035-01-01', 'https://192.0.2.1')).toEqual(one('not for 192.0.2.1'));
  const plain = 'http://hub.example.com';
  expect(warn('2035-01-01', plain)).toEqual(
    one(`--public-url ${plain} is plain HTTP, but this server speaks HTTPS`),
  );
  const old = makeCertificate('hub.example.com', [2030, 2040], { hasAltName: false });
  writeFileSync(tlsCert, old.cert);
  writeFileSync(tlsKey, old.key);
  expect(warn('2035-01-01')).toEqual(one('has its name only in CN=hub.example.com'));
  const weak = makeCertificate('hub.example.com', [2030, 2040], { namedCurve: 'prime192v1' });
  writeFileSync(tlsCert, weak.cert);
  writeFileSync(tlsKey, weak.key);
  expect(() => warn('2035-01-01')).toThrow(
    `The certificate of --tls-cert ${tlsCert} is too weak for TLS. Use one`,
  );
  writeFileSync(tlsCert, cert);
  writeFileSync(tlsKey, key);
  if (process.platform === 'win32') return;
  chmodSync(tlsKey, 0o644);
  expect(warn('2035-01-01')).toEqual(one(`Every user of this machine can read HUBLINE_TLS_KEY ${tlsKey}.`));
});
