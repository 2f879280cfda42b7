import { callSlack } from './api.ts';
import { callWebhook } from './webhook.ts';
import type {
  ProviderConnection,
  Credentials,
  Notification,
  NotifyResult,
  ProviderTools,
} from '../provider.ts';
import { escapeMrkdwn } from '../../domain/templates/escaping.ts';
import { toMrkdwn } from '../../domain/templates/mrkdwn.ts';

/** Posts a message to `config.channel`, or to the channel of the incoming webhook. */
export function notifySlack(
  connection: ProviderConnection,
  { text, markdown, slackBlocks: blocks }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  // Next to blocks, the text is only what a locked phone shows.
  return postMrkdwn(
    connection,
    { text: markdown == null ? escapeMrkdwn(text) : toMrkdwn(markdown), blocks },
    tools,
  );
}

/** A message in Slack's own language. */
interface Message {
  text: string;
  blocks?: Notification['slackBlocks'];
  /** The `ts` of a message whose thread it goes to. */
  thread?: string;
}

/** The result of posting, with the place of the message if Slack reports it: an incoming webhook does not. */
type Posted = NotifyResult & { channel?: string; ts?: string };

/** Posts a message as it is written, without escaping. */
export async function postMrkdwn(
  { credentials, config }: ProviderConnection,
  { text, blocks, thread }: Message,
  tools: ProviderTools,
): Promise<Posted> {
  const { webhook_url: url } = credentials;
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  if (url !== undefined) return sendToWebhook(url, { text, ...inThread, ...(blocks && { blocks }) }, tools);
  const { channel = '' } = config;
  if (channel.trim() === '') {
    const error = 'config.channel must name a channel, such as #releases';
    return { ok: false, destination: 'slack', error, refused: null };
  }
  return post(credentials, tools, {
    channel,
    text,
    ...inThread,
    ...(blocks && { blocks: JSON.stringify(blocks) }),
  });
}

// The codes that concern the app and its token rather than the channel.
const CREDENTIALS: ReadonlySet<string> = new Set([
  'access_denied',
  'account_inactive',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'invalid_token',
  'missing_scope',
  'no_permission',
  'no_service',
  'no_team',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
]);

const CURES = new Map([
  ['channel_not_found', 'there is no such channel, or it is private and the app is not in it'],
  ['not_in_channel', 'invite the app to the channel'],
  ['is_archived', 'the channel is archived'],
  ['channel_is_archived', 'the channel is archived'],
  ['missing_scope', 'add the scope chat:write to the app and install it again'],
  ['no_service', 'the webhook was removed'],
]);

async function post(
  credentials: Credentials,
  tools: ProviderTools,
  fields: { channel: string; text: string; blocks?: string; thread_ts?: string },
): Promise<Posted> {
  const response = await callSlack(credentials, tools, { method: 'chat.postMessage', fields });
  if (!response.ok) return refused(fields.channel, response.error);
  const { channel, ts } = response.body;
  return {
    ok: true,
    destination: fields.channel,
    ...(typeof channel === 'string' && { channel }),
    ...(typeof ts === 'string' && { ts }),
  };
}

async function sendToWebhook(url: string, message: object, tools: ProviderTools): Promise<NotifyResult> {
  // The path of the URL is a secret.
  const destination = new URL(url).host;
  const response = await callWebhook(url, tools, message);
  return response.ok ? { ok: true, destination } : refused(destination, response.error);
}

function refused(destination: string, error: string): NotifyResult {
  const cure = CURES.get(error);
  return {
    ok: false,
    destination,
    error: `Slack responded with ${error}${cure === undefined ? '' : `: ${cure}`}`,
    refused: CREDENTIALS.has(error) ? 'credentials' : 'destination',
  };
}
