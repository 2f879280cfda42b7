import { useProviders } from '../../pages/integrations/connect/providers.ts';
import { integrationOptions, useIntegrations } from '../../pages/integrations/use-integrations.ts';
import { useMembers } from '../../pages/members/use-members.ts';
import { useWebhooks } from '../../pages/webhooks/use-webhooks.ts';
import { webhookOptions } from '../../pages/webhooks/webhook-name.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import type { PaletteCommand } from './palette-command.ts';

interface Things {
  readonly commands: readonly PaletteCommand[];
  /** False while some are being read, and if they cannot be read. */
  readonly complete: boolean;
}

/** The webhooks, integrations, members and tools of the workspace, with the actions for each. */
export function useThings(): Things {
  const { id, can } = useWorkspace();
  const webhooksById = useWebhooks(id);
  const integrationsById = useIntegrations(id);
  const webhooks = [...(webhooksById?.values() ?? [])];
  const integrations = [...(integrationsById?.values() ?? [])];
  const members = useMembers();
  const providers = useProviders();
  const webhookNames = webhookOptions(webhooks);
  const integrationNames = integrationOptions(integrations);
  const commands = [
    ...webhooks.flatMap((webhook): readonly PaletteCommand[] => {
      const label = webhookNames[webhook.id] ?? webhook.id;
      const to = `webhooks/${webhook.id}`;
      return [
        { label, kind: 'Webhook', icon: 'webhooks', to, words: webhook.url },
        ...(can('manage_webhooks') && webhook.last_failed_attempt ? [retryFailedOf(webhook.id, label)] : []),
      ];
    }),
    ...integrations.map(({ integration_id, provider }): PaletteCommand => ({
      label: integrationNames[integration_id] ?? integration_id,
      kind: 'Integration',
      icon: 'integrations',
      to: `integrations/${integration_id}`,
      words: provider,
    })),
    ...members.map(({ email }): PaletteCommand => ({
      label: email,
      kind: 'Member',
      icon: 'user',
      to: 'members',
    })),
    ...(can('manage_integrations') ? (providers.data ?? []) : []).map(
      ({ name, provider }): PaletteCommand => ({
        label: `Connect ${name}`,
        kind: 'Action',
        icon: 'plus',
        to: `integrations?connect=${provider}`,
      }),
    ),
  ];
  // Whoever sees the palette is a member.
  const complete = webhooksById !== undefined && integrationsById !== undefined && members.length > 0;
  return { commands, complete };
}

/** Opens the dialog that counts the failed deliveries and asks before it retries them. */
export const retryFailedOf = (webhookId: string, name: string): PaletteCommand => ({
  label: `Retry failed deliveries of ${name}`,
  kind: 'Action',
  icon: 'retry',
  to: `deliveries?view=cause&webhook=${webhookId}&retry=1`,
});
