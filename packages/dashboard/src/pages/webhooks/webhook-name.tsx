import type { Webhook } from '@hubline/sdk';
import { nameChoice, shortId } from '../../data/formats/name-choice.ts';
import { visibleText } from '../../data/formats/visible-text.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** The name of a webhook, or else its URL without the scheme, so that two on one host look different. */
export function webhookName(webhook: Pick<Webhook, 'name' | 'url'> | undefined, otherwise: string): string {
  const { name, url } = webhook ?? {};
  if (name) return visibleText(name);
  return visibleText(url ?? otherwise)
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}

/** Webhooks as a choice. */
export const webhookOptions = (webhooks: readonly Webhook[]): Readonly<Record<string, string>> =>
  nameChoice(webhooks.map((each) => [each.id, webhookName(each, each.id)]));

interface WebhookNameProps {
  readonly id: string;
  /** All webhooks of the workspace, as `useWebhooks` reads them. */
  readonly webhooks: ReadonlyMap<string, Webhook> | undefined;
}

/** A link to a webhook, by its name; the end of its ID if it no longer exists. */
export function WebhookName({ id, webhooks }: WebhookNameProps) {
  const workspace = useWorkspace();
  if (webhooks === undefined) return <span class="faint">{shortId(id)}</span>;
  const webhook = webhooks.get(id);
  if (!webhook) return <span class="faint">deleted webhook {shortId(id)}</span>;
  return (
    <a class="strong" href={workspace.href(`webhooks/${id}`)} title={webhook.url}>
      {webhookName(webhook, id)}
    </a>
  );
}
