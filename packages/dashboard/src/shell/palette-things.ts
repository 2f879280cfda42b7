import { LIMITS } from '@hubline/contract/constants';
import type { Hubline } from '@hubline/sdk';
import { integrationName } from '../pages/integrations/use-integrations.ts';
import { webhookName } from '../pages/webhooks/webhook-name.tsx';
import type { PaletteCommand } from './palette-commands.ts';

interface Reading {
  readonly client: Hubline;
  readonly workspaceId: string;
  readonly signal: AbortSignal;
}

/** Reads the names of webhooks, integrations and members; each list is added when it is there, and left out when it fails. */
export async function readNamed(
  { client, workspaceId, signal }: Reading,
  add: (more: readonly PaletteCommand[]) => void,
): Promise<void> {
  const limit = LIMITS.pageMax;
  const lists = [
    client.webhooks.list({ workspace_id: workspaceId, limit }, { signal }).then(({ data }) =>
      data.map((webhook) => ({
        label: webhookName(webhook, webhook.id),
        kind: 'Webhook',
        icon: 'webhooks' as const,
        page: `webhooks/${webhook.id}`,
        words: webhook.url,
      })),
    ),
    client.integrations.list(workspaceId, { limit }, { signal }).then(({ data }) =>
      data.map((integration) => ({
        label: integrationName(integration),
        kind: 'Integration',
        icon: 'integrations' as const,
        page: `integrations/${integration.integration_id}`,
        words: integration.provider,
      })),
    ),
    client.members.list(workspaceId, { limit }, { signal }).then(({ data }) =>
      data.map(({ email }) => ({
        label: email,
        kind: 'Member',
        icon: 'user' as const,
        page: 'members',
      })),
    ),
  ];
  await Promise.allSettled(lists.map(async (list) => add(await list)));
}
