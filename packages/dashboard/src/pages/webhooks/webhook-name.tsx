import type { Webhook } from '@hubline/sdk';
import { useWorkspace } from '../../session/workspace.ts';
import { shortId } from '../integrations/use-integrations.ts';

interface WebhookNameProps {
  readonly id: string;
  /** All of the workspace, as `useWebhooks` reads them. */
  readonly webhooks: ReadonlyMap<string, Webhook> | undefined;
}

/** A webhook by its address, as a link to it; one that is not there any more by its id. */
export function WebhookName({ id, webhooks }: WebhookNameProps) {
  const workspace = useWorkspace();
  if (webhooks === undefined) return <span class="faint">{shortId(id)}</span>;
  const webhook = webhooks.get(id);
  if (!webhook) return <span class="faint">deleted webhook {shortId(id)}</span>;
  return (
    <a href={workspace.href(`webhooks/${id}`)} title={webhook.url}>
      {webhook.url.replace(/^https?:\/\//, '')}
    </a>
  );
}
