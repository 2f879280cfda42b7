import { startTestServer, type TestServerOptions } from '@hubline/server/testing';
import { afterAll, expect } from 'vitest';
import { runCli, type RunOptions } from './run-cli.ts';

/** A real server that the tests of a file share, and the command line of its owner. */
export async function realServer(options: TestServerOptions = {}) {
  const server = await startTestServer(options);
  afterAll(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const cli = (line: readonly string[], more: RunOptions = {}) =>
    runCli(line, { ...more, env: { ...env, ...more.env } });
  /** Runs a command line that must succeed, and returns its JSON. */
  async function json<Value = Record<string, string>>(...line: string[]): Promise<Value> {
    const { code, out, err } = await cli([...line, '--json', '--yes']);
    expect(code, err).toBe(0);
    return JSON.parse(out) as Value;
  }
  return { server, env, cli, json };
}
