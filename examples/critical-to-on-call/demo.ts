// Urgent Linear issues page the person on call: one signed call to the on-call webhook per issue, retried when the pager refuses
// it. Linear and the pager are fakes that use the same formats; nothing leaves this machine.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';
import { unwrap, type WebhookEvent } from '@hubline/webhooks';

const secret = 'of-the-pager';
const pages: WebhookEvent[] = [];
let busy = true;
const pager = createServer((request, response) => void respond(request, response));
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const event = await unwrap({ body: await text(request), headers: request.headers }, { secret });
  // The pager is restarting, so it refuses the first call.
  if (!busy) pages.push(event);
  response.writeHead(busy ? 503 : 202).end();
  busy = false;
}
await new Promise<void>((resolve) => pager.listen(0, '127.0.0.1', resolve));
const pagerUrl = `http://127.0.0.1:${(pager.address() as AddressInfo).port}/page`;

const server = await startTestServer({ env: { HUBLINE_CREDENTIAL_CHECK: 'skip' } });
const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
const { workspaceId } = server;

const { ingest } = await client.integrations.connect({
  provider: 'linear',
  workspace_id: workspaceId,
  credentials: { api_key: 'lin_api_of_the_demo', webhook_secret: 'of-linear' },
});
const onCall = await client.webhooks.create({
  workspace_id: workspaceId,
  url: pagerUrl,
  secret,
  // The webhook gets only what rules send to it.
  events: ['notification.sent'],
});
await client.notificationRules.create(workspaceId, {
  name: 'Page on-call',
  notify_on: ['event.created'],
  types: ['issue'],
  filters: { severity: ['critical'] },
  destinations: [{ kind: 'webhook', webhook_id: onCall.id }],
  dedupe: { key: '{{ event.summary.subject.id }}', window_seconds: 3_600 },
  critical: true,
});

/** Sends a call in Linear's format. Priority 1 is "Urgent". */
async function issue(title: string, priority: number, action = 'create'): Promise<void> {
  const body = JSON.stringify({
    action,
    type: 'Issue',
    createdAt: new Date().toISOString(),
    actor: { id: '5f8a2c5e-0000-4000-8000-000000000001', name: 'Ana', type: 'user' },
    data: {
      id: `5f8a2c5e-0000-4000-8000-00000000000${title.length % 10}`,
      identifier: `OPS-${title.length}`,
      title,
      priority,
      team: { id: '5f8a2c5e-0000-4000-8000-000000000009', key: 'OPS', name: 'Operations' },
    },
    url: `https://linear.app/acme/issue/OPS-${title.length}`,
    organizationId: '5f8a2c5e-0000-4000-8000-000000000008',
    webhookTimestamp: Date.now(),
    webhookId: '5f8a2c5e-0000-4000-8000-000000000007',
  });
  const response = await fetch(ingest.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'linear-delivery': randomUUID(),
      'linear-event': 'Issue',
      'linear-signature': createHmac('sha256', 'of-linear').update(body).digest('hex'),
    },
    body,
  });
  console.log(`Linear: ${title} (priority ${priority}): ${response.status}`);
}
await issue('A typo in the footer', 4);
await issue('Checkout is down', 1);
await issue('Checkout is down', 1, 'update');

const deadline = performance.now() + 60_000;
while (pages.length === 0 && performance.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 50));
const log = await client.notificationRules.log(workspaceId).toArray({ limit: 10 });
for (const { to, status, reason } of log) console.log(`message to ${to}: ${status} ${reason ?? ''}`);
const [delivery] = await client.deliveries.listForWebhook(onCall.id).toArray({ limit: 10 });
console.log(`delivery to ${pagerUrl}: ${delivery?.status} after ${delivery?.attempt_count} attempts`);

const [page] = pages;
const good =
  pages.length === 1 && page?.type === 'notification.sent' && page.data.title.includes('Checkout is down');
if (page?.type === 'notification.sent') console.log(`page: ${page.data.title}`);
if (!good) console.error('This is not what should have happened.');
process.exitCode = good ? 0 : 1;

await server.stop();
pager.close();
