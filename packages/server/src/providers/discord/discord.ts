import { checkDiscord } from './check.ts';
import { notifyDiscord } from './notify.ts';
import { registerDiscordHook, removeDiscordHook } from './hooks.ts';
import { discordOAuth } from './oauth.ts';
import { ACKNOWLEDGED, receiveDiscordCall } from './ingest/receive.ts';
import { isFresh } from '../signatures/fresh.ts';
import { isSignedBy } from '../signatures/ed25519.ts';
import type { Credentials, IngestRequest, Provider, Setup, Verdict } from '../provider.ts';

/**
 * Discord, through the webhook of a channel or an application with its bot. Messages of ordinary channels are not among its
 * webhook events: Discord sends those only over its Gateway.
 */
export const discord: Provider = {
  key: 'discord',
  name: 'Discord',
  description:
    'Sends notifications as channel messages; receives the webhook events of an application, such as authorizations and entitlements. Channel messages themselves are not received.',
  repeatable: false,
  signing: ({ webhook_url: url }) => (url === undefined ? { name: 'public_key' } : null),
  receives: ({ webhook_url: url }) => url === undefined,
  checkCredentials: () => [],
  headers: () => ['x-signature-ed25519', 'x-signature-timestamp'],
  targets: ({ webhook_url: url }) => (url === undefined ? [] : [{ field: 'credentials.webhook_url', url }]),
  verify,
  receive: receiveDiscordCall,
  success: ACKNOWLEDGED,
  validate: checkDiscord,
  register: registerDiscordHook,
  registersLater: true,
  unregister: removeDiscordHook,
  notify: notifyDiscord,
  oauth: discordOAuth,
  setUp,
};

// Discord documents no tolerance; this is the one that other tools use.
const TOLERANCE_SECONDS = 300;

function verify({ headers, body, now }: IngestRequest, credentials: Credentials): Verdict {
  const publicKey = credentials['public_key'];
  if (!publicKey) return { ok: false, reason: 'the integration has no public_key' };
  const timestamp = headers['x-signature-timestamp'] ?? '';
  if (!isFresh(timestamp, now, TOLERANCE_SECONDS))
    return { ok: false, reason: 'the timestamp is missing, or too far from the current time' };
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return isSignedBy(publicKey, signed, headers['x-signature-ed25519'] ?? '')
    ? { ok: true }
    : { ok: false, reason: 'wrong signature' };
}

function setUp(
  ingestUrl: string,
  { webhook_url: url, application_id: id, public_key: publicKey }: Credentials,
): Setup {
  if (url !== undefined) {
    const step = `No further setup is needed: a channel webhook only receives messages. Discord does not call ${ingestUrl}.`;
    return { steps: [step] };
  }
  const page = 'https://discord.com/developers/applications';
  return {
    steps: [
      ...(publicKey === undefined
        ? [
            `Open ${page} and choose your application, or create one with a bot. Reconnect the integration with the token of the bot, the Public Key and the Application ID.`,
          ]
        : []),
      `Open ${id === undefined ? 'Webhooks of the application' : `${page}/${id}/webhooks`}, and enter the endpoint URL ${ingestUrl}.`,
      'Switch Events on, choose the events that you want, and save. Discord checks the URL at once.',
      'Invite the bot to your server, so that it can post to the channel whose ID is config.channel.',
    ],
  };
}
