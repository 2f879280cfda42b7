import { parseServerConfig } from '../../../src/config/config.ts';
import { startServer } from '../../../src/server.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../src/testing/testing.ts';
import { startProxy } from './stand-ins/proxy.ts';

/** Starts two servers on one database, and a proxy in front of them: every request may reach either. */
export async function startTwo(options: TestServerOptions): Promise<TestServer> {
  const targets: string[] = [];
  const proxy = await startProxy(targets);
  const flags = { publicUrl: proxy.url, ...options.flags };
  const server = await startTestServer({ ...options, flags });
  const ofTests = {
    port: 0,
    allowHttpLocalhost: true,
    logLevel: 'silent',
    senders: 0,
    httpThread: 'off',
  } as const;
  const config = parseServerConfig({ ...ofTests, ...flags, ...server.storage }, options.env ?? {});
  const other = await startServer(config, options);
  targets.push(server.url, other.url);
  async function stopAll(): Promise<void> {
    await other.stop();
    await server.stop();
    await proxy.stop();
  }
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll());
  return {
    ...server,
    url: proxy.url,
    baseUrl: `${proxy.url}/v1`,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
