import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readMarkdown } from './markdown.ts';
import { root } from '../workspace.ts';

const run = promisify(execFile);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CONDITION = '--conditions=hubline-source';

/** Reports the port of a server that listens on any free port. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  return listen.apply(this.once('listening', () => process.send(this.address().port)), given);
};`)}`;

const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The programs of a page, as files in the package whose dependencies they import; `ts continue` continues the one before. */
function programsOf(page: string, pkg: string): string[] {
  const path = join('docs/guides', page);
  const programs: string[] = [];
  for (const { lang, meta, code } of readMarkdown(path, readFileSync(join(root, path), 'utf8')).fences) {
    if (lang !== 'ts') continue;
    if (meta === 'continue') programs.push(`${programs.pop()}\n${code}`);
    else programs.push(code);
  }
  const folder = mkdtempSync(join(root, 'packages', pkg, '.guides-'));
  folders.push(folder);
  return programs.map((code, index) => {
    const file = join(folder, `${index}.ts`);
    writeFileSync(file, code);
    return file;
  });
}

describe('the programs of the guides', () => {
  it.each(['quickstart', 'pagination', 'errors-and-retries', 'idempotency', 'testing-your-integration'])(
    '%s: run to their end against a real server',
    async (page) => {
      const { startTestServer } = await import('../../packages/server/src/testing/testing.ts');
      await using server = await startTestServer();
      const env = {
        ...process.env,
        HUBLINE_API_KEY: server.apiKey,
        HUBLINE_BASE_URL: server.baseUrl,
        HUBLINE_WORKSPACE_ID: server.workspaceId,
      };
      for (const program of programsOf(`${page}.md`, 'cli'))
        await run(process.execPath, [CONDITION, program], { env, cwd: root, timeout: 90_000 });
    },
  );
});

/** A call as Hubline makes it, and one that somebody has changed on the way. */
async function calls(): Promise<[good: RequestInit, forged: RequestInit]> {
  const { signTestWebhook } = await import('../../packages/webhooks/src/index.ts');
  const call = await signTestWebhook({ secret: SECRET });
  return [call, { ...call, body: `${call.body} ` }];
}

describe('the receivers of the guides accept a signed call and refuse a forged one', () => {
  it.each(['node', 'express', 'fastify', 'hono', 'koa'])('%s', async (page) => {
    const [program = ''] = programsOf(`receiving-webhooks/${page}.md`, 'webhooks');
    const env = { ...process.env, PORT: '0', HUBLINE_WEBHOOK_SECRET: SECRET };
    const server = spawn(process.execPath, [CONDITION, '--import', TELL_PORT, program], {
      env,
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    try {
      const [port] = await Promise.race([once(server, 'message'), once(server, 'exit')]);
      const url = `http://localhost:${port}/hooks/hubline`;
      const statuses = [];
      for (const call of await calls()) statuses.push((await fetch(url, call)).status);
      expect(statuses).toEqual([200, 401]);
    } finally {
      server.kill();
    }
  });

  type Module = Record<string, unknown> & { default?: { fetch?: unknown } };
  const url = 'https://app.example.com/hooks/hubline';
  const receivers: Readonly<Record<string, (module: Module, call: RequestInit) => Promise<number>>> = {
    'next-app': async ({ POST }, call) =>
      (await (POST as (request: Request) => Promise<Response>)(new Request(url, call))).status,
    workers: async ({ default: worker }, call) => {
      const receive = worker?.fetch as (request: Request, env: object) => Promise<Response>;
      return (await receive(new Request(url, call), { HUBLINE_WEBHOOK_SECRET: SECRET })).status;
    },
    lambda: async ({ handler }, { headers, body }) => {
      const receive = handler as (event: object, context: object) => Promise<{ statusCode: number }>;
      return (await receive({ headers, body }, { awsRequestId: 'request-1' })).statusCode;
    },
    'next-pages': async ({ default: route }, call) => {
      const server = createHttpServer(route as RequestListener);
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, call);
      server.close();
      server.closeAllConnections();
      return status;
    },
  };
  it.each(Object.entries(receivers))('%s', async (page, receive) => {
    vi.stubEnv('HUBLINE_WEBHOOK_SECRET', SECRET);
    for (const program of programsOf(`receiving-webhooks/${page}.md`, 'webhooks')) {
      const module = (await import(pathToFileURL(program).href)) as Module;
      const statuses = [];
      for (const call of await calls()) statuses.push(await receive(module, call));
      expect(statuses).toEqual([200, 401]);
    }
  });
});
