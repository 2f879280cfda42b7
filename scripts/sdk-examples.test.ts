import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { docComments } from './markdown.ts';
import { isTest, root, sourceFiles, workspacePackages } from './workspace.ts';

const now = '2026-01-02T03:04:05.000Z';
const rate = {
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-reset': '1800000000',
};

/** Has whatever field an example looks at, as a single thing and as a page. */
const thing = {
  id: 'ws_1',
  name: 'Acme',
  email: 'ada@example.com',
  user: { email: 'ada@example.com' },
  required_credentials: [],
  attempts: [{ response_status: 200 }],
  completed_at: now,
  summary: { text: 'pushed' },
};
const answer = JSON.stringify({
  ...thing,
  data: [thing],
  pagination: { next_cursor: null, has_more: false },
});

/** Runs one example after the other; an example that throws is told with its place. */
const RUNNER = `
import { Hubline } from '@hubline/sdk';
Object.assign(globalThis, { client: new Hubline({ logLevel: 'off' }), workspaceId: 'ws_1' });
console.log = console.error = console.warn = () => {};
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write = () => true;
const failed = [];
for (const file of process.argv.slice(2))
  await import(file).catch((error) => failed.push(file + ': ' + (error instanceof Error ? error.stack : String(error))));
write(JSON.stringify(failed));
process.exit();
`;

it('the examples in the doc comments of the SDK run to their end', async () => {
  const server = createServer((request, response) => {
    request.resume();
    // A stream of events that says 204 has ended.
    if (request.headers.accept === 'text/event-stream') response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json', ...rate }).end(answer);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(root, 'packages/sdk/.examples-'));
  try {
    const runner = join(folder, 'runner.ts');
    writeFileSync(runner, RUNNER);
    const sdk = workspacePackages().filter((pkg) => pkg.folder === 'sdk');
    const files = sdk
      .flatMap(sourceFiles)
      .filter((path) => !isTest(path))
      .flatMap((path) =>
        docComments(path).fences.map(({ code, line }) => {
          const file = join(folder, `${path.replaceAll('/', '_')}.${line}.ts`);
          writeFileSync(file, code);
          return file;
        }),
      );
    expect(files.length).toBeGreaterThan(50);
    const env = {
      ...process.env,
      HUBLINE_API_KEY: 'hl_test',
      HUBLINE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    };
    const args = ['--conditions=hubline-source', runner, ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 25_000 });
    expect(JSON.parse(stdout)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
    server.close();
    server.closeAllConnections();
  }
});
