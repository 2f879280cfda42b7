import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startWorkspace } from '../support/workspace.ts';

const busySeconds = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^hubline_http_thread_busy_seconds_total (\S+)$/m.exec(text)?.[1]);
};

describe('the HTTP thread', () => {
  it.each([
    ['on', true],
    ['off', false],
  ] as const)('with --http-thread %s, shows how busy it is', async (httpThread, works) => {
    const workspace = await startWorkspace({ flags: { httpThread } });
    expect((await busySeconds(workspace.server.url)) > 0).toBe(works);
    await workspace.stop();
  });

  it.each(['on', 'off'] as const)(
    'with --http-thread %s, responds to a client that closes its side first',
    async (httpThread) => {
      const workspace = await startWorkspace({ flags: { httpThread } });
      const { hostname, port } = new URL(workspace.server.url);
      const ask = async (request: string) => {
        const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
        socket.end(request);
        const received = await text(socket);
        socket.destroy();
        return received;
      };
      expect(await ask('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await ask('GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
      const form = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
      const late = `POST /v1/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.server.apiKey}\r\n${form}`;
      expect(await ask(late)).toMatch(/^HTTP\/1\.1 400 /);
      await workspace.stop();
    },
  );

  it('stops the server if it dies: nothing could be received anymore', async () => {
    const httpProgram = new URL('thread/dying-http.process.ts', import.meta.url);
    const workspace = await startWorkspace({ flags: { httpThread: 'on' }, httpProgram });
    await expect(fetch(`${workspace.server.url}/livez`)).rejects.toThrow('fetch failed');
    expect(await workspace.server.failed).toEqual(new Error('this thread dies'));
    await workspace.stop();
  });

  it('says which port is in use', async () => {
    const workspace = await startWorkspace({ flags: { httpThread: 'on' } });
    const { port } = new URL(workspace.server.url);
    const second = startWorkspace({ flags: { httpThread: 'on', port: Number(port) } });
    await expect(second).rejects.toThrow(new RegExp(`port ${port} is in use on 127\\.0\\.0\\.1`));
    await workspace.stop();
  });
});
