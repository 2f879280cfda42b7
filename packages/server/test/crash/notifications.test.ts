import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { Api } from '../api/support/api.ts';
import { type Receiver, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { startSmtpInbox } from '../api/support/stand-ins/smtp-inbox.ts';
import { until } from '../api/support/until.ts';
import { Child, ignoreDeath } from './harness/child.ts';
import type { ServerInput } from './harness/server.process.ts';

// One event causes messages in Slack, by email and in-app. The server dies once on the way, and the next one continues.

let slack: Receiver;
let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let flags: ServerFlags;
let env: Record<string, string>;
let apiKey: string;
let workspaceId: string;

beforeAll(async () => {
  slack = await startReceiver(() => ({ status: 200, body: { ok: true } }));
  inbox = await startSmtpInbox();
  env = { HUBLINE_SLACK_API_URL: `${slack.url}/api`, HUBLINE_SMTP_URL: inbox.url };
});
afterAll(async () => {
  await slack.stop();
  await inbox.stop();
});
beforeEach(async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-notifications-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  flags = { data, port: 0, allowHttpLocalhost: true, logLevel: 'silent', synchronous: 'NORMAL' };
  slack.calls.length = 0;
  inbox.mails.length = 0;
  const owner = await bootstrap(parseServerConfig(flags, env), {
    email: 'owner@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  apiKey = owner.api_key;
  workspaceId = owner.workspace_id ?? '';
});

const posts = () => slack.calls.filter(({ url }) => url.endsWith('chat.postMessage'));
const here = () => ({ params: { id: workspaceId } });

async function startDoomed(point: string): Promise<{ api: Api; server: Child }> {
  const input: ServerInput = { flags, env, speed: 1, origin: Date.now() };
  const server = new Child('server', { input, env: { HUBLINE_CRASH_AT: point } });
  onTestFinished(() => server.kill('SIGKILL'));
  const up = await server.first<{ baseUrl: string }>();
  if (!up) throw new Error(`The server did not start.\n${server.errors}`);
  return { api: new Api(up.baseUrl, apiKey), server };
}

async function prepare(): Promise<void> {
  const server = await startServer(parseServerConfig(flags, env));
  const api = new Api(server.baseUrl, apiKey);
  const { integration_id } = await api.call('integrations.connect', {
    body: {
      provider: 'slack',
      workspace_id: workspaceId,
      credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
      config: { channel: '#ops' },
    },
  });
  await api.call('notificationRules.create', {
    ...here(),
    body: {
      name: 'All',
      notify_on: ['event.created'],
      destinations: [
        { kind: 'integration', integration_id },
        { kind: 'email', roles: ['owner'] },
        { kind: 'in_app', roles: ['owner'] },
      ],
    },
  });
  await server.stop();
}

it.each<[point: string, repeated: number]>([
  // The jobs in order: matching, then one for each message. Jobs of other kinds do not count.
  ['job.claimed:1:match_rules', 0],
  ['job.worked:1:match_rules', 0],
  ['job.recorded:1:match_rules', 0],
  ['job.claimed:1:send_notification', 0],
  ['notification.sent:1', 1],
  ['notification.sent:2', 1],
  ['job.worked:1:send_notification', 0],
  ['job.recorded:1:send_notification', 0],
  ['job.recorded:2:send_notification', 0],
])(
  'a server that dies at %s loses nothing and repeats at most the attempt under way',
  async (point, repeated) => {
    await prepare();
    const { api, server } = await startDoomed(point);
    // The jobs begin with the commit, and the process may die before it responds.
    await api.send('events.publish', { ...here(), body: { type: 'push', payload: {} } }).catch(ignoreDeath);
    expect(await server.ended).toBe('SIGKILL');
    const next = await startServer(parseServerConfig(flags, env));
    onTestFinished(() => next.stop());
    const again = new Api(next.baseUrl, apiKey);
    const messages = await until('all three messages are sent', async () => {
      const { data } = await again.call('notificationRules.log', here());
      return data.length === 3 && data.every(({ status }) => status === 'sent') && data;
    });
    expect(messages.map(({ kind }) => kind).toSorted()).toEqual(['email', 'in_app', 'integration']);
    const { data } = await again.call('notifications.list', {});
    expect(data).toHaveLength(1);
    // The other message may have been under way too, and is then repeated as well.
    const sent = posts().length + inbox.mails.length;
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(sent).toBeLessThanOrEqual(2 + repeated + 1);
    expect(new Set(inbox.mails.map((mail) => mail.header('Message-ID'))).size).toBe(1);
    // The stop waits for what is under way, so nothing more comes.
    await next.stop();
    expect(posts().length + inbox.mails.length).toBe(sent);
  },
);
