import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { connect } from 'node:tls';
import * as x509 from '@peculiar/x509';

/** The ports on this machine that stand for 80 and 443 of the domain. */
export interface Reach {
  http: number;
  https: number;
}

/** A check that the authority offers. */
export interface Check {
  type: string;
  status: 'pending' | 'valid' | 'invalid';
  error?: { type: string; detail: string };
}

type Issue = { type: string; detail: string };
type Challenge = { type: string; domain: string; token: string; keyAuthorization: string };

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';

/** Checks the server's response to a challenge, as an authority does; `null` if it is right. */
export async function validate(reach: Reach, challenge: Challenge): Promise<Issue | null> {
  try {
    return await (challenge.type === 'http-01'
      ? overHttp(reach.http, challenge)
      : overTls(reach.https, challenge));
  } catch (error) {
    return { type: 'connection', detail: (error as Error).message };
  }
}

/** RFC 8555, 8.3. */
function overHttp(port: number, { domain, token, keyAuthorization }: Challenge): Promise<Issue | null> {
  return new Promise((resolve, reject) => {
    const path = `/.well-known/acme-challenge/${token}`;
    get({ host: '127.0.0.1', port, path, headers: { Host: domain } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const isRight = response.statusCode === 200 && text === keyAuthorization;
        resolve(
          isRight ? null : { type: 'unauthorized', detail: `responded with ${response.statusCode}: ${text}` },
        );
      });
    }).on('error', reject);
  });
}

/** RFC 8737, 3. */
function overTls(port: number, { domain, keyAuthorization }: Challenge): Promise<Issue | null> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: domain, rejectUnauthorized: false };
    const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'] }, () => {
      const raw = socket.getPeerX509Certificate()?.raw;
      const found = raw && new x509.X509Certificate(raw);
      const names = found
        ?.getExtension(x509.SubjectAlternativeNameExtension)
        ?.names.items.map(({ value }) => value);
      const identifier = found?.getExtension(ACME_IDENTIFIER);
      const wanted = `0420${createHash('sha256').update(keyAuthorization).digest('hex')}`;
      const isRight =
        socket.alpnProtocol === 'acme-tls/1' &&
        names?.join() === domain &&
        identifier?.critical === true &&
        Buffer.from(identifier.value).toString('hex') === wanted;
      socket.destroy();
      resolve(isRight ? null : { type: 'unauthorized', detail: 'responded with another certificate' });
    });
    socket.on('error', reject);
  });
}
