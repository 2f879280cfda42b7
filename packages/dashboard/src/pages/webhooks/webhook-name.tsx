import type { Webhook } from '@hubline/sdk';
import { visibleText } from '../../data/visible-text.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { shortId } from '../integrations/use-integrations.ts';

/** A description longer than this is a text, and no name. */
const NAME_MAX = 60;

/** The name of a webhook: its description, or its URL without the scheme. Two on one host look different. */
export function webhookName(
  webhook: Pick<Webhook, 'description' | 'url'> | undefined,
  otherwise: string,
): string {
  const { description, url } = webhook ?? {};
  if (description && description.length <= NAME_MAX) return visibleText(description);
  return visibleText(url ?? otherwise)
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}

interface WebhookNameProps {
  readonly id: string;
  /** All of the workspace, as `useWebhooks` reads them. */
  readonly webhooks: ReadonlyMap<string, Webhook> | undefined;
}

/** A webhook by its name, as a link to it; one that is not there any more by its id. */
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
