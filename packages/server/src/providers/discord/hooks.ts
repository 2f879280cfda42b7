import { readPointer } from '../../domain/json/json-pointer.ts';
import type { Credentials, Ingest, ProviderTools, Registration } from '../provider.ts';
import type { JsonResponse } from '../wire/json-api.ts';
import { discordApi } from './api.ts';

const PATH = '/applications/@me';
// docs.discord.com, "Application Event Webhook Status".
const DISABLED = 1;
const ENABLED = 2;

// Events that every application can receive. Lobby and game messages are sent only to apps of the Social SDK.
const EVENTS = [
  'APPLICATION_AUTHORIZED',
  'APPLICATION_DEAUTHORIZED',
  'ENTITLEMENT_CREATE',
  'ENTITLEMENT_UPDATE',
  'ENTITLEMENT_DELETE',
];

/**
 * Enters the ingest URL as the endpoint of the application's webhook events. Discord calls a URL before it accepts it.
 * An application has only one endpoint: somebody else's is left alone.
 */
export async function registerDiscordHook(
  credentials: Credentials,
  { url }: Ingest,
  tools: ProviderTools,
): Promise<Registration | null> {
  const { bot_token: token, application_id: id = '' } = credentials;
  if (token === undefined) return null;
  const api = discordApi(credentials, tools);
  const found = await api.call('GET', PATH);
  if (found.status !== 200) return refused(found);
  const there = readPointer(found.body, '/event_webhooks_url');
  const isOurs = there === url;
  if (isOurs && readPointer(found.body, '/event_webhooks_status') === ENABLED)
    return { registered: true, hook: { id }, created: false };
  if (typeof there === 'string' && there !== '' && !isOurs) {
    const reason = `the application already calls ${new URL(there).host}; remove that endpoint on the application's Webhooks page`;
    return { registered: false, reason };
  }
  const types = readPointer(found.body, '/event_webhooks_types');
  const chosen = Array.isArray(types) && types.length > 0;
  const changed = await api.call('PATCH', PATH, {
    event_webhooks_url: url,
    event_webhooks_status: ENABLED,
    ...(chosen ? {} : { event_webhooks_types: EVENTS }),
  });
  if (changed.status !== 200) return refused(changed);
  return { registered: true, hook: { id }, created: !isOurs };
}

/** Removes the ingest URL from the application, if it is still there. Throws when Discord did not do it. */
export async function removeDiscordHook(
  credentials: Credentials,
  { url }: Pick<Ingest, 'url'>,
  tools: ProviderTools,
): Promise<void> {
  if (credentials['bot_token'] === undefined) return;
  const api = discordApi(credentials, tools);
  const found = await api.call('GET', PATH);
  if (found.status !== 200) throw new Error(`Discord responded with ${found.status}: ${found.message}`);
  if (readPointer(found.body, '/event_webhooks_url') !== url) return;
  const changed = await api.call('PATCH', PATH, {
    event_webhooks_url: null,
    event_webhooks_status: DISABLED,
  });
  if (changed.status !== 200) throw new Error(`Discord responded with ${changed.status}: ${changed.message}`);
}

function refused({ status, message }: JsonResponse): Registration {
  const reason =
    status === 401 || status === 403
      ? 'Discord refused the token of the bot'
      : message || `Discord responded with ${status}`;
  return { registered: false, reason };
}
