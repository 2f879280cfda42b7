import type {
  ProviderConnection,
  Notification,
  NotifyResult,
  Provider,
  ProviderTools,
} from '../../providers/provider.ts';

/** The result of a notification. `note`: the reason why it was sent as text, if its rich form was refused. */
export type Notified = NotifyResult & { note?: string };

interface ToSend {
  connection: ProviderConnection;
  notification: Notification;
  tools: ProviderTools;
}

/**
 * Sends a notification in its richest form, and again as text if the tool refuses that form: blocks and cards come from
 * templates, and a fault in one does not mean that the channel is unusable.
 */
export async function notifyThrough(
  notify: NonNullable<Provider['notify']>,
  { connection, notification, tools }: ToSend,
): Promise<Notified> {
  const result = await notify(connection, notification, tools);
  if (result.ok || result.refused !== 'destination') return result;
  const { slackBlocks, discordEmbeds, adaptiveCard, ...plain } = notification;
  if (!slackBlocks && !discordEmbeds && !adaptiveCard) return result;
  const again = await notify(connection, plain, tools);
  return again.ok ? { ...again, note: `sent as text: ${result.error}` } : again;
}
