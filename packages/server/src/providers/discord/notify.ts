import { plainMarkdown } from '../../domain/templates/escaping.ts';
import { cut } from '../../domain/cut.ts';
import { discordApi, webhookPath } from './api.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';

// docs.discord.com, "Create Message".
const CONTENT_MAX = 2_000;
const CHANNEL = /^\d{15,21}$/;

/** Posts to the channel of the webhook or, as the bot, to the channel whose ID is `config.channel`. */
export async function notifyDiscord(
  { credentials, config }: ProviderConnection,
  { text, markdown, discordEmbeds: embeds }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const { webhook_url: url } = credentials;
  const { channel = '' } = config;
  if (url === undefined && !CHANNEL.test(channel)) {
    const error =
      'config.channel must be the ID of a channel: switch Developer Mode on in Discord, and choose Copy Channel ID';
    return { ok: false, destination: channel || 'discord', error, refused: null };
  }
  // The path of a webhook is a secret.
  const destination = url === undefined ? channel : new URL(url).host;
  const path = url === undefined ? `/channels/${channel}/messages` : `${webhookPath(url)}?wait=true`;
  // A name in somebody else's text must not notify anybody.
  const content = embeds ? { embeds } : { content: cut(markdown ?? plainMarkdown(text), CONTENT_MAX) };
  const body = { ...content, allowed_mentions: { parse: [] } };
  const { status, message } = await discordApi(credentials, tools).call('POST', path, body);
  if (status === 200) return { ok: true, destination };
  return {
    ok: false,
    destination,
    error: `Discord responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`,
    refused: status === 401 || (url !== undefined && status === 404) ? 'credentials' : 'destination',
  };
}
