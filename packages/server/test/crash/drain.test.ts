import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { makeCertificate } from '../../src/outbound/certificate.fixture.ts';
import { startServer } from '../../src/server.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'hubline-drain-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const start = (flags: ServerFlags = {}) =>
  startServer(parseServerConfig({ data, port: 0, logLevel: 'silent', ...flags }, {}));

it('a request that is under way when the server stops gets its response, which says that the connection ends; that end is not waited for', async () => {
  const server = await start();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const response = text(socket);
  const head = [
    'POST /v1/invitations/accept HTTP/1.1',
    'Host: hub',
    'Content-Type: application/json',
    'Expect: 100-continue',
  ];
  socket.write([...head, 'Content-Length: 2', '', ''].join('\r\n'));
  // Node sends 100 Continue once it has passed the request on.
  await new Promise((resolve) => socket.once('data', resolve));
  const begun = performance.now();
  const stopped = server.stop();
  socket.write('{}');
  await stopped;
  expect(await response).toMatch(/HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n/);
  // Far below the 5 s after which the server cuts connections.
  expect(performance.now() - begun).toBeLessThan(4_000);
});

it.each(['on', 'off'] as const)(
  'a client that begins no TLS handshake is not waited for; HTTP thread %s',
  async (httpThread) => {
    const certificate = makeCertificate('localhost', [2020, 2099]);
    const [tlsCert, tlsKey] = [join(data, 'cert.pem'), join(data, 'key.pem')];
    await writeFile(tlsCert, certificate.cert);
    await writeFile(tlsKey, certificate.key, { mode: 0o600 });
    const server = await start({ tlsCert, tlsKey, httpThread });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const ended = text(socket);
    await once(socket, 'connect');
    // Connections are accepted in their order: with the answer on a later one, the server knows this one.
    const later = tlsConnect({
      host: hostname,
      port: Number(port),
      ca: certificate.cert,
      servername: 'localhost',
    });
    later.write('GET /livez HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n');
    expect(await text(later)).toContain('HTTP/1.1 200');
    const begun = performance.now();
    await server.stop();
    // Far below the 10 s that a handshake may take.
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(await ended).toBe('');
  },
);

it('a start on a port that is taken is refused, and leaves the data to the next', async () => {
  await using first = await start();
  const other = join(data, 'other');
  const taken = Number(new URL(first.url).port);
  await expect(start({ data: other, port: taken })).rejects.toThrow(/--port \d+ is in use/);
  await using second = await start({ data: other });
  expect((await fetch(`${second.url}/livez`)).status).toBe(200);
});
