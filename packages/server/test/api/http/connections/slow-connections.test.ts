import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../../support/workspace.ts';

// Several times the time that is needed, and a third of the interval at which Node itself checks connections.
const SOON_MS = 10_000;
const REQUEST = 'GET /livez HTTP/1.1\r\nHost: x\r\n';

let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace({ httpTimeouts: { headersTimeout: 500 }, flags: { httpThread: 'on' } });
});
afterAll(() => workspace.stop());

/**
 * Collects the response on a connection that sends `start` at once and `rest` byte by byte. The client never ends the
 * connection: after the server's last byte it continues to send until that is refused, which shows that the server has
 * dropped the connection.
 */
function drip(start: string, rest: string): Promise<{ text: string; ms: number }> {
  const started = performance.now();
  const { port, hostname } = new URL(workspace.server.url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    let sent = 0;
    let over = false;
    socket.write(start);
    const timer = setInterval(() => {
      const byte = over ? 'x' : rest[sent];
      if (byte !== undefined) socket.write(byte);
      sent += 1;
    }, 20);
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('end', () => (over = true));
    // A reset is an end as well: the server had nothing more to send.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, ms: performance.now() - started });
    });
  });
}

describe('a connection', () => {
  it.concurrent.each([
    ['drips its headers', REQUEST, `A: ${'a'.repeat(5_000)}`, /^HTTP\/1\.1 408 /],
    ['sends half a request line', 'GET /li', '', /^HTTP\/1\.1 408 /],
    [
      'drips its headers after a request',
      `${REQUEST}\r\n${REQUEST}`,
      `A: ${'a'.repeat(5_000)}`,
      /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 /,
    ],
    ['sends nothing', '', '', /^HTTP\/1\.1 408 /],
    ['is not HTTP, and never closes', 'nonsense\r\n\r\n', '', /^HTTP\/1\.1 400 /],
  ])('that %s gets a response and is closed', async (_, start, rest, expected) => {
    const { text, ms } = await drip(start, rest);
    expect(text).toMatch(expected);
    expect(ms).toBeLessThan(SOON_MS);
  });
});
