import type { EndpointOutput } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { TestClock } from '../../delivery/test-clock.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/stand-ins/receiver.ts';
import { startSmtpInbox } from '../support/stand-ins/smtp-inbox.ts';
import { until } from '../support/until.ts';

type Message = EndpointOutput<'notificationRules.log'>['data'][number];

/** Slack's response to a call that it accepts. */
export const OK = { status: 200, body: { ok: true } };

/**
 * Gives the tests of one file a server with its own Slack and mail server, and each test a workspace. Its clock stands at noon in
 * Berlin, on a Thursday.
 */
export function useNotifications() {
  const clock = new TestClock(Date.parse('2026-11-26T11:00:00.000Z'));
  let root: TestWorkspace & { stop(): Promise<void> };
  let workspace: TestWorkspace;
  let slack: Receiver;
  let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
  const slackResponses: (() => ReceiverResponse | Promise<ReceiverResponse>)[] = [];

  beforeAll(async () => {
    slack = await startReceiver(({ url }) =>
      url.endsWith('chat.postMessage') ? (slackResponses.shift()?.() ?? OK) : OK,
    );
    inbox = await startSmtpInbox();
    root = await startWorkspace({
      clock: clock.clock,
      timer: clock.timer,
      monotonic: clock.monotonic,
      env: {
        HUBLINE_SLACK_API_URL: `${slack.url}/api`,
        HUBLINE_SMTP_URL: inbox.url,
        HUBLINE_MAIL_FROM: 'hub@hub.test',
      },
    });
  });
  afterAll(async () => {
    await root.stop();
    await slack.stop();
    await inbox.stop();
  });
  beforeEach(async () => {
    workspace = await newWorkspace(root);
    slack.calls.length = 0;
    inbox.mails.length = 0;
    slackResponses.length = 0;
  });

  const here = () => ({ params: { id: workspace.workspaceId } });

  const log = async (query: Record<string, string> = {}): Promise<Message[]> =>
    (await workspace.api.call('notificationRules.log', { ...here(), query: { limit: '100', ...query } }))
      .data;

  return {
    get workspace() {
      return workspace;
    },
    get slack() {
      return slack;
    },
    clock,
    /** Slack's next responses to messages. After these, it accepts every message. */
    slackResponses,
    here,
    log,
    async connectSlack(config: object): Promise<string> {
      const { integration_id } = await workspace.api.call('integrations.connect', {
        body: {
          provider: 'slack',
          workspace_id: workspace.workspaceId,
          credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
          config,
        },
      });
      return integration_id;
    },
    newRule: (body: object) =>
      workspace.api.call('notificationRules.create', {
        ...here(),
        body: { name: 'Rule', notify_on: ['event.created'], ...body },
      }),
    publish: (type: string, payload: object = {}) =>
      workspace.api.call('events.publish', { ...here(), body: { type, source: 'ci', payload } }),
    /** Waits until there are this many messages, all of them completed. */
    settled: (count: number): Promise<Message[]> =>
      until(`${count} messages that are over`, async () => {
        const messages = await log();
        const over = messages.every(({ completed_at }) => completed_at !== null);
        return over && messages.length === count && messages;
      }),
    /** The emails of rules, without those of invitations. */
    mails: () => inbox.mails.filter((mail) => mail.header('List-Unsubscribe') !== ''),
    /** The messages that Slack was asked to post. */
    posts: () =>
      slack.calls
        .filter(({ url }) => url.endsWith('chat.postMessage'))
        .map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
  };
}
