// Merged pull requests are announced in a Slack channel, except those of bots. Slack is a fake with the same API; nothing leaves
// this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';

const messages: { channel: string | null; text: string | null }[] = [];
const slack = createServer((request, response) => void respond(request, response));
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  if (request.url === '/chat.postMessage')
    messages.push({ channel: form.get('channel'), text: form.get('text') });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' }));
}
await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
const slackUrl = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;

const server = await startTestServer({
  env: { HUBLINE_SLACK_API_URL: slackUrl, HUBLINE_CREDENTIAL_CHECK: 'skip' },
});
const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
const { workspaceId } = server;

const { integration_id } = await client.integrations.connect({
  provider: 'slack',
  workspace_id: workspaceId,
  credentials: { token: 'xoxb-of-the-demo', signing_secret: 'of-the-demo' },
});
const automation = await client.automations.create(workspaceId, {
  name: 'Merged pull requests to #releases',
  trigger: { event: 'event.created', types: ['pull_request'] },
  conditions: {
    all: [
      { field: 'event.payload.pull_request.merged', op: 'eq', value: true },
      { not: { field: 'event.payload.sender.login', op: 'ends_with', value: '[bot]' } },
    ],
  },
  actions: [
    {
      type: 'slack.post_message',
      integration_id,
      input: {
        channel: '#releases',
        text: '#{{ event.payload.number }} {{ event.payload.pull_request.title }}, by {{ event.payload.sender.login }}',
      },
    },
  ],
});

const pullRequest = (number: number, merged: boolean, login: string) =>
  client.events.publish(workspaceId, {
    type: 'pull_request',
    source: 'github',
    payload: {
      number,
      action: 'closed',
      sender: { login },
      pull_request: { merged, title: 'Add a board', base: { ref: 'main' } },
    },
  });
await pullRequest(1, false, 'ana');
await pullRequest(2, true, 'dependabot[bot]');
await pullRequest(3, true, 'ana');

const deadline = performance.now() + 60_000;
const runs = () => client.automations.listRuns(workspaceId, automation.id).toArray({ limit: 10 });
while ((await runs()).some(({ completed_at }) => completed_at === null) && performance.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 50));

for (const { status, event_id } of await runs()) console.log(`run of ${event_id}: ${status}`);
for (const { channel, text: said } of messages) console.log(`Slack ${channel}: ${said}`);
const good = messages.length === 1 && messages[0]?.text === '#3 Add a board, by ana';
if (!good) console.error('This is not what should have happened.');
process.exitCode = good ? 0 : 1;

await server.stop();
slack.close();
