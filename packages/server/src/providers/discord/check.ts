import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { discordApi, webhookPath } from './api.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';

/** Asks Discord whether it knows the webhook, or the bot and its application. */
export function checkDiscord(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck> {
  const { webhook_url: url } = credentials;
  return url === undefined ? checkApp(credentials, tools) : checkWebhook(url, tools);
}

async function checkApp(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck> {
  const api = discordApi(credentials, tools);
  const { status, body, message } = await api.call('GET', '/applications/@me');
  if (status === 401 || status === 403)
    return refused(
      'bot_token',
      `was refused by Discord (${message}): reset it under Bot and copy the new one`,
    );
  const id = readPointer(body, '/id');
  const key = readPointer(body, '/verify_key');
  if (status !== 200 || typeof id !== 'string' || typeof key !== 'string')
    throw new ProviderUnavailable(`Discord's API responded with ${status} and did not say whose token it is`);
  if (id !== credentials['application_id'])
    return refused(
      'application_id',
      'does not belong to the bot: copy the token, the public key and the application ID from the same application',
    );
  if (key.toLowerCase() !== credentials['public_key']?.toLowerCase())
    return refused('public_key', 'does not belong to the application: copy it from General Information');
  return { ok: true };
}

async function checkWebhook(url: string, tools: ProviderTools): Promise<CredentialCheck> {
  const api = discordApi({ webhook_url: url }, tools);
  const { status, body, message } = await api.call('GET', webhookPath(url));
  if (status === 200 && typeof readPointer(body, '/id') === 'string') return { ok: true };
  if (status === 200 || status < 400)
    throw new ProviderUnavailable(
      `Discord's API responded with ${status} and did not say which webhook it is`,
    );
  return refused(
    'webhook_url',
    `was refused by Discord (${message || status}): copy the URL again, or make a new webhook`,
  );
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
