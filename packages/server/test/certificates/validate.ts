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
type Asked = { type: string; domain: string; token: string; answer: string };

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';

/** Asks the server for its answer, as an authority does; `null` for the right one. */
export async function validate(reach: Reach, asked: Asked): Promise<Issue | null> {
  try {
    return await (asked.type === 'http-01' ? overHttp(reach.http, asked) : overTls(reach.https, asked));
  } catch (error) {
    return { type: 'connection', detail: (error as Error).message };
  }
}

/** RFC 8555, 8.3. */
function overHttp(port: number, { domain, token, answer }: Asked): Promise<Issue | null> {
  return new Promise((resolve, reject) => {
    const path = `/.well-known/acme-challenge/${token}`;
    get({ host: '127.0.0.1', port, path, headers: { Host: domain } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const isRight = response.statusCode === 200 && text === answer;
        resolve(
          isRight ? null : { type: 'unauthorized', detail: `answered ${response.statusCode}: ${text}` },
        );
      });
    }).on('error', reject);
  });
}

/** RFC 8737, 3. */
function overTls(port: number, { domain, answer }: Asked): Promise<Issue | null> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: domain, rejectUnauthorized: false };
    const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'] }, () => {
      const raw = socket.getPeerX509Certificate()?.raw;
      const found = raw && new x509.X509Certificate(raw);
      const names = found
        ?.getExtension(x509.SubjectAlternativeNameExtension)
        ?.names.items.map(({ value }) => value);
      const identifier = found?.getExtension(ACME_IDENTIFIER);
      const wanted = `0420${createHash('sha256').update(answer).digest('hex')}`;
      const isRight =
        socket.alpnProtocol === 'acme-tls/1' &&
        names?.join() === domain &&
        identifier?.critical === true &&
        Buffer.from(identifier.value).toString('hex') === wanted;
      socket.destroy();
      resolve(isRight ? null : { type: 'unauthorized', detail: 'answered with another certificate' });
    });
    socket.on('error', reject);
  });
}
