// An in-house CI tool is a source of events: it sends signed calls to a URL, and an automation calls the board when a build on
// main fails. The board is a fake; nothing leaves this machine.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';

const calls: unknown[] = [];
const board = createServer((request, response) => void respond(request, response));
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  calls.push(await json(request));
  response.writeHead(204).end();
}
await new Promise<void>((resolve) => board.listen(0, '127.0.0.1', resolve));
const boardUrl = `http://127.0.0.1:${(board.address() as AddressInfo).port}`;

const server = await startTestServer();
const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
const { workspaceId } = server;

const { ingest } = await client.integrations.connect({
  provider: 'custom',
  workspace_id: workspaceId,
  credentials: { preset: 'github-style', source: 'ci', event_type_pointer: '/event' },
});
const automation = await client.automations.create(workspaceId, {
  name: 'Broken main',
  trigger: { event: 'event.created', types: ['build'], sources: ['ci'] },
  conditions: {
    all: [
      { field: 'event.payload.status', op: 'in', value: ['failed', 'errored'] },
      { field: 'event.payload.branch', op: 'eq', value: 'main' },
    ],
  },
  actions: [
    {
      type: 'call_webhook',
      url: boardUrl,
      payload: { build: '{{ event.payload.number }}', text: 'Build {{ event.payload.number }} broke main' },
    },
  ],
});

async function build(number: number, status: string, branch: string): Promise<number> {
  const body = JSON.stringify({ event: 'build', number, status, branch });
  const signature = createHmac('sha256', ingest.secret ?? '')
    .update(body)
    .digest('hex');
  const response = await fetch(ingest.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
  return response.status;
}
const statuses = [
  await build(1, 'passed', 'main'),
  await build(2, 'failed', 'feature'),
  await build(3, 'failed', 'main'),
];

const deadline = performance.now() + 60_000;
const runs = () => client.automations.listRuns(workspaceId, automation.id).toArray({ limit: 10 });
while ((await runs()).some(({ completed_at }) => completed_at === null) && performance.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 50));

console.log(`The CI tool's calls got the statuses ${statuses.join(', ')}`);
for (const call of calls) console.log(`the board got ${JSON.stringify(call)}`);
const good =
  statuses.every((status) => status === 202) &&
  JSON.stringify(calls) === '[{"build":3,"text":"Build 3 broke main"}]';
if (!good) console.error('This is not what should have happened.');
process.exitCode = good ? 0 : 1;

await server.stop();
board.close();
