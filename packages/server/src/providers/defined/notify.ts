import { call } from '../wire/call-api.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';

/**
 * Posts `{text, event_type}` to the `notify_url` of a provider with this key; incoming webhooks of Slack and of compatible tools accept
 * that as a message.
 */
export const notifyUrl =
  (provider: string) =>
  async (
    { credentials }: ProviderConnection,
    { text, trigger }: Notification,
    tools: ProviderTools,
  ): Promise<NotifyResult> => {
    const url = credentials['notify_url'];
    if (url === undefined) {
      const error = 'the integration has no notify_url: reconnect it with one to send notifications';
      return { ok: false, destination: provider, error, refused: null };
    }
    // The path and the query of such URLs are secrets.
    const destination = URL.parse(url)?.host ?? provider;
    const response = await call(tools, destination, {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, event_type: trigger }),
    });
    if (response !== null && response.status >= 200 && response.status < 300)
      return { ok: true, destination };
    const error = response === null ? 'blocked address' : `${destination} responded with ${response.status}`;
    return { ok: false, destination, error, refused: 'destination' };
  };
