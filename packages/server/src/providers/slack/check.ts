import { callSlack } from './api.ts';
import { callWebhook } from './webhook.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';

/** Asks Slack whether it knows the token, or the webhook. */
export function checkSlack(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck> {
  const { webhook_url: url } = credentials;
  return url === undefined ? checkToken(credentials, tools) : checkWebhook(url, tools);
}

const TOKEN_ISSUES = new Map([
  ['invalid_auth', 'it is wrong, or belongs to another app; copy the Bot User OAuth Token again'],
  ['not_authed', 'it is wrong; copy the Bot User OAuth Token again'],
  ['token_revoked', 'it was revoked; install the app again and copy the new token'],
  ['token_expired', 'it has expired; switch token rotation off and install the app again'],
  ['account_inactive', 'the app was removed from the workspace; install it again'],
  [
    'not_allowed_token_type',
    'it is another kind of token; copy the Bot User OAuth Token, which begins with xoxb-',
  ],
]);

async function checkToken(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck> {
  const response = await callSlack(credentials, tools, { method: 'auth.test', fields: {} });
  if (response.ok) return { ok: true };
  const issue = `was refused by Slack (${response.error}): ${TOKEN_ISSUES.get(response.error) ?? 'check the app'}`;
  return { ok: false, detail: { field: 'credentials.token', issue } };
}

// An existing webhook refuses a message without text with one of these, and posts nothing.
const KNOWN: ReadonlySet<string> = new Set([
  'no_text',
  'invalid_payload',
  'missing_text_or_fallback_or_attachments',
]);

async function checkWebhook(url: string, tools: ProviderTools): Promise<CredentialCheck> {
  const response = await callWebhook(url, tools, {});
  if (response.ok || KNOWN.has(response.error)) return { ok: true };
  const issue = `was refused by Slack (${response.error}): copy the URL again, or add a new webhook to the app`;
  return { ok: false, detail: { field: 'credentials.webhook_url', issue } };
}
