// The main job of Hubline on real input: GitHub webhooks in, signed webhook calls out, verified by a receiver that fails
// once. Nothing leaves this machine. Run it with `npx -y pnpm@12 demo`.
import { randomBytes } from 'node:crypto';
import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';
import { startGithub } from './github.ts';
import { startReceiver } from './receiver.ts';
import { timeline } from './timeline.ts';

const KINDS = ['ping', 'push', 'pull_request', 'issues', 'issue_comment', 'release', 'dependabot_alert'];
const DEADLINE_MS = 60_000;

const secret = randomBytes(24).toString('base64url');
const github = await startGithub();
const receiver = await startReceiver(secret);
const server = await startTestServer({ env: { HUBLINE_GITHUB_API_URL: github.apiUrl } });
const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
const workspaceId = server.workspaceId;
console.log(`server    ${server.url}, on a temporary database\nreceiver  ${receiver.url}\n`);

const webhook = await client.webhooks.create({
  url: receiver.url,
  events: ['*'],
  workspace_id: workspaceId,
  secret,
});
const integration = await client.integrations.connect({
  provider: 'github',
  workspace_id: workspaceId,
  credentials: { token: 'ghp_of_the_demo', repository: 'octocat/hello-world' },
});
const { url, secret: ingestSecret, registered } = integration.ingest;
console.log(
  `webhook   ${webhook.id}\ngithub    ${integration.integration_id}, hook registered: ${registered}\n`,
);

const sent = await github.send(KINDS, { url, secret: ingestSecret ?? '' });
for (const { kind, status } of sent) console.log(`GitHub sent ${kind.padEnd(17)} and got ${status}`);

// One call for the connected integration, and one for each event; a ping makes none.
const expected = 1 + KINDS.length - 1;
console.log(`\nThe receiver refused the first call; its second attempt follows after 5 seconds …\n`);
const deadline = performance.now() + DEADLINE_MS;
while (receiver.accepted.length < expected && performance.now() < deadline) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
// The receiver has responded; the server records that a moment later.
for (;;) {
  const open = await client.deliveries.list(workspaceId, { status: 'retrying' }).toArray({ limit: 1 });
  const pending = await client.deliveries.list(workspaceId, { status: 'pending' }).toArray({ limit: 1 });
  if ((open.length === 0 && pending.length === 0) || performance.now() > deadline) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}

for (const line of await timeline(client, workspaceId)) console.log(line);

const events = await client.events.list(workspaceId).toArray({ limit: 100 });
const deliveries = await client.deliveries.list(workspaceId).toArray({ limit: 100 });
const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempt_count, 0);
const delivered = deliveries.filter((delivery) => delivery.status === 'delivered').length;
console.log(
  `\n${events.length} events stored, ${delivered} of ${deliveries.length} deliveries delivered in ${attempts} attempts, ` +
    `${receiver.accepted.length} calls verified and accepted by the receiver.`,
);

const good =
  sent.every(({ kind, status }) => status === (kind === 'ping' ? 200 : 202)) &&
  events.length === KINDS.length - 1 &&
  delivered === expected &&
  attempts === expected + 1 &&
  receiver.accepted.length === expected;
if (!good) console.error('This is not what should have happened.');
process.exitCode = good ? 0 : 1;

await server.stop();
receiver.close();
github.close();
