import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { makeCertificate } from '../../../src/outbound/certificate.fixture.ts';
import { type Behavior, head, type HostileReceiver, ignoreErrors, serve } from '../behavior.ts';

/** The host name of the TLS receivers. */
const TLS_HOST = 'receiver.localhost';

const good = makeCertificate(TLS_HOST, [2020, 2100]);
const expired = makeCertificate(TLS_HOST, [2001, 2002]);
const early = makeCertificate(TLS_HOST, [2090, 2100]);
const other = makeCertificate('somebody-else.localhost', [2020, 2100]);
const unknown = makeCertificate(TLS_HOST, [2020, 2100]);

/** The certificates that the sender trusts: all but `unknown`, so that each of the others fails for its own reason. */
export const TRUSTED = [good, expired, early, other].map(({ cert }) => cert);

const ok: RequestListener = (_request, response) => void response.end('ok');
const https = (options: ServerOptions): (() => Promise<HostileReceiver>) => {
  // The receiver also gets an event for a failed handshake, which is expected here.
  return () =>
    serve(
      createHttpsServer(options, ok).on('tlsClientError', () => undefined),
      SECURE,
    );
};
const SECURE = { scheme: 'https', host: TLS_HOST };

const row = (name: string, start: Behavior['start'], outcome: Behavior['outcome']): Behavior => ({
  name,
  patience: 'long',
  start,
  outcome,
});
const tls = (message: string): Behavior['outcome'] => ({ error: ['tls', message] });
// OpenSSL's own codes change with its versions.
const OPENSSL: Behavior['outcome'] = { error: ['tls', /^TLS failed \(ERR_SSL_[A-Z0-9_/]+\)$/] };
const OLD: Behavior['outcome'] = {
  error: ['tls', /^the receiver speaks only an old version of TLS \(ERR_SSL_/],
};
const NOT_TLS: Behavior['outcome'] = { error: ['tls', /^the port does not speak TLS \(ERR_SSL_/] };
// The receiver hangs up on bytes that it cannot read or does not want: with a FIN or, if something is still unread, with a RST.
const HUNG_UP: Behavior['outcome'] = { error: ['reset', /^connection (?:closed before a response|reset)$/] };

/** Receivers whose certificate, handshake or TLS is wrong. */
export const TLS: Behavior[] = [
  row('has a good certificate', https(good), { status: 200, body: 'ok' }),
  row(
    'has a self-signed certificate',
    https(unknown),
    tls('the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)'),
  ),
  row(
    'has a certificate that has expired',
    https(expired),
    tls('the certificate has expired (CERT_HAS_EXPIRED)'),
  ),
  row(
    'has a certificate that is not yet valid',
    https(early),
    tls('the certificate is not valid yet (CERT_NOT_YET_VALID)'),
  ),
  row(
    'has the certificate of somebody else',
    https(other),
    tls('the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)'),
  ),
  row(
    'speaks only TLS 1.0',
    https({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    OLD,
  ),
  row('has no cipher in common', https({ ...good, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }), OPENSSL),
  row(
    'asks for a client certificate',
    https({ ...good, requestCert: true, rejectUnauthorized: true }),
    // The alert, unless a RST overtakes it.
    {
      error: [
        /^(?:tls|reset)$/,
        /^(?:the receiver asks for a client certificate \(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED\)|connection (?:closed before a response|reset))$/,
      ],
    },
  ),
  row('speaks no TLS where TLS is expected', () => serve(createHttpServer(ok), SECURE), NOT_TLS),
  row(
    'speaks TLS where none is expected',
    () => serve(createHttpsServer(good, ok).on('tlsClientError', () => undefined)),
    HUNG_UP,
  ),
  {
    name: 'never finishes the handshake',
    patience: 'short',
    start: () =>
      serve(
        createServer((socket) => void ignoreErrors(socket).resume()),
        SECURE,
      ),
    outcome: { error: ['timeout', 'no connection within 3 s'] },
  },
  row(
    'hangs up in the handshake',
    () =>
      serve(
        createServer((socket) => ignoreErrors(socket).once('data', () => socket.end())),
        SECURE,
      ),
    {
      error: ['connect', 'connection reset while connecting'],
    },
  ),
  row(
    'answers the handshake with an alert',
    () =>
      serve(
        createServer((socket) => ignoreErrors(socket).once('data', () => socket.end(ALERT))),
        SECURE,
      ),
    OPENSSL,
  ),
  row(
    'breaks TLS inside the body',
    tlsSocket({}, (socket, plain) =>
      socket.write(head('200 OK', 'content-length: 100') + 'part', () => plain.end(Buffer.alloc(64, 0x17))),
    ),
    {
      status: 200,
    },
  ),
  row(
    'renegotiates before it answers',
    tlsSocket({ maxVersion: 'TLSv1.2' }, (socket) =>
      socket.renegotiate({}, () => socket.end(head('200 OK', 'content-length: 0'))),
    ),
    { status: 200 },
  ),
];

// A fatal alert: internal_error.
const ALERT = Buffer.from('15030300020250', 'hex');

/** A server that runs `onRequest` after the handshake, when it has read the request. */
function tlsSocket(
  options: ServerOptions,
  onRequest: (socket: TLSSocket, plain: Socket) => void,
): Behavior['start'] {
  return () => {
    const plain = new Map<number | undefined, Socket>();
    const server = createTlsServer({ ...good, ...options }, (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => onRequest(socket, plain.get(socket.remotePort) ?? socket));
    });
    server.on('connection', (socket: Socket) => plain.set(socket.remotePort, ignoreErrors(socket)));
    return serve(server, SECURE);
  };
}
