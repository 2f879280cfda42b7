import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';

/** The status line of the answer to a request with this Host header. */
const statusFor = (port: number, host: string) =>
  new Promise<string>((resolve) => {
    const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => resolve(text.slice(0, text.indexOf('\r\n'))));
  });

it('an empty Host is refused, also in the first request of a process', async () => {
  const server = createHttpServer({
    tls: null,
    fetch: () => new Response('ok'),
    refuse: (_, { message }) => ({ status: 400, headers: {}, body: message }),
    onError: () => {},
  });
  const names = { host: '--host', port: '--port', httpsPort: '--https-port', httpPort: '--http-port' };
  const { port } = await server.listen({ host: '127.0.0.1', port: 0, setting: 'port', names });
  try {
    const statuses = [];
    for (const host of ['', 'x.example', '']) statuses.push(await statusFor(port, host));
    expect(statuses).toEqual(['HTTP/1.1 400 Bad Request', 'HTTP/1.1 200 OK', 'HTTP/1.1 400 Bad Request']);
  } finally {
    await server.close();
  }
});
