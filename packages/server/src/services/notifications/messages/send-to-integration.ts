import type { Deps } from '../../../context.ts';
import { findIntegration } from '../../../db/integrations/integrations.ts';
import type { MessageRow } from '../../../db/notifications/messages.ts';
import type { Content } from '../../../domain/notifications/content.ts';
import type { IntegrationConfig } from '../../../providers/provider.ts';
import { findingOf } from '../../integrations/integrations.ts';
import { notifyThrough } from '../../integrations/notify.ts';
import { providerOf } from '../../integrations/provider-of.ts';
import { toolsFor } from '../../integrations/provider-tools.ts';
import { applyFinding } from '../../integrations/status.ts';
import { usableCredentials } from '../../integrations/usable-credentials.ts';
import { workContext } from '../../../work-context.ts';
import type { Sent } from './sent.ts';

/** Sends a message through a connected tool, in the richest form that the tool can show. */
export async function sendToIntegration(deps: Deps, message: MessageRow): Promise<Sent> {
  const { integration_id: id, channel } = JSON.parse(message.destination) as {
    integration_id: string;
    channel?: string;
  };
  const row = await findIntegration(deps.store.read, message.workspace_id, id);
  if (!row) return { refused: 'the integration was disconnected' };
  const provider = providerOf(deps, row);
  if (!provider?.notify) return { refused: 'the tool cannot receive messages' };
  const work = workContext(deps);
  const credentials = await usableCredentials(work, provider, row);
  const config = JSON.parse(row.config) as IntegrationConfig;
  const content = JSON.parse(message.content) as Content;
  const result = await notifyThrough(provider.notify, {
    connection: { credentials, config: channel === undefined ? config : { ...config, channel } },
    notification: {
      trigger: message.trigger,
      text: content.text,
      markdown: content.markdown,
      slackBlocks: content.slack_blocks,
      discordEmbeds: content.discord_embeds,
      adaptiveCard: content.adaptive_card,
    },
    tools: toolsFor(deps, row.provider),
  });
  const finding = findingOf(result);
  // The result for a channel of the rule says nothing about the channel of the integration.
  const aboutChannel = finding?.kind === 'refused' && finding.what === 'destination';
  const proves = finding !== null && !(channel !== undefined && (aboutChannel || result.ok));
  return {
    refused: result.ok ? null : result.error,
    note: result.note,
    ...(proves ? { record: async (tx, end) => void (await applyFinding(tx, end, { row, finding })) } : {}),
  };
}
