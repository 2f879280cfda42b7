import { OutboundError } from '../outbound/outbound-http.ts';
import type { Connection, Notification, NotifyResult, ProviderTools } from './provider.ts';

/** Posts `{text, event_type}` to `notify_url`; incoming webhooks of Slack and its imitators take that as a message. */
export async function notifyCustom(
  { credentials }: Connection,
  { text, eventType }: Notification,
  { outbound }: ProviderTools,
): Promise<NotifyResult> {
  const url = credentials['notify_url'];
  if (url === undefined) {
    const error = 'the integration has no notify_url: reconnect it with one to send notifications';
    return { ok: false, destination: 'custom', error };
  }
  // The path and the query of such URLs are secrets.
  const destination = URL.parse(url)?.host ?? 'custom';
  try {
    const { status } = await outbound({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, event_type: eventType }),
    });
    if (status >= 200 && status < 300) return { ok: true, destination };
    return { ok: false, destination, error: `${destination} answered ${status}` };
  } catch (error) {
    if (error instanceof OutboundError) return { ok: false, destination, error: error.message };
    throw error;
  }
}
