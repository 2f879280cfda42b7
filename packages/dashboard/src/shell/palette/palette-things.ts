import { LIMITS } from '@hubline/contract/constants';
import type { Hubline } from '@hubline/sdk';
import { integrationName } from '../../pages/integrations/use-integrations.ts';
import { webhookName } from '../../pages/webhooks/webhook-name.tsx';
import type { useWorkspace } from '../../session/workspace.ts';
import type { PaletteCommand } from './palette-command.ts';

interface Reading {
  readonly client: Hubline;
  readonly workspace: ReturnType<typeof useWorkspace>;
  readonly signal: AbortSignal;
}

/**
 * Reads the names of webhooks, integrations, members and tools, with the actions for each. A list is added when it has loaded, and
 * left out when it fails.
 */
export async function readNamed(
  { client, workspace: { id, can }, signal }: Reading,
  add: (more: readonly PaletteCommand[]) => void,
): Promise<void> {
  const limit = LIMITS.pageMax;
  const lists: PromiseLike<readonly PaletteCommand[]>[] = [
    client.webhooks.list({ workspace_id: id, limit }, { signal }).then(({ data }) =>
      data.flatMap((webhook) => {
        const label = webhookName(webhook, webhook.id);
        return [
          { label, kind: 'Webhook', icon: 'webhooks', to: `webhooks/${webhook.id}`, words: webhook.url },
          ...(can('manage_webhooks') && webhook.last_failed_attempt
            ? [retryFailedOf(webhook.id, label)]
            : []),
        ];
      }),
    ),
    client.integrations.list(id, { limit }, { signal }).then(({ data }) =>
      data.map((integration) => ({
        label: integrationName(integration),
        kind: 'Integration',
        icon: 'integrations',
        to: `integrations/${integration.integration_id}`,
        words: integration.provider,
      })),
    ),
    client.members
      .list(id, { limit }, { signal })
      .then(({ data }) =>
        data.map(({ email }) => ({ label: email, kind: 'Member', icon: 'user', to: 'members' })),
      ),
  ];
  if (can('manage_integrations'))
    lists.push(
      client.integrations.listProviders({ limit }, { signal }).then(({ data }) =>
        data.map(({ name, provider }) => ({
          label: `Connect ${name}`,
          kind: 'Action',
          icon: 'plus',
          to: `integrations?connect=${provider}`,
        })),
      ),
    );
  await Promise.allSettled(lists.map(async (list) => add(await list)));
}

/** Opens the dialog that counts the failed deliveries and asks before it retries them. */
export const retryFailedOf = (webhookId: string, name: string): PaletteCommand => ({
  label: `Retry failed deliveries of ${name}`,
  kind: 'Action',
  icon: 'retry',
  to: `deliveries?view=cause&webhook=${webhookId}&retry=1`,
});
