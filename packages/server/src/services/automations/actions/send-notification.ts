import type { TemplateBody } from '@hubline/contract';
import { findTemplate } from '../../../db/notifications/templates.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { renderContent } from '../../../domain/notifications/content.ts';
import { renderTemplate } from '../../../domain/templates/template.ts';
import { findingOf } from '../../integrations/integrations.ts';
import { applyFinding } from '../../integrations/status.ts';
import { notifyThrough } from '../../integrations/notify.ts';
import { contentOf } from '../../notifications/templates/render.ts';
import type { ActionKind, ActionOf, RenderedRequest, RenderWork } from './action.ts';
import { inTool, refused } from './in-tool.ts';

interface Request {
  integration_id: string;
  channel?: string;
  text: string;
  /** The other forms of a template. */
  forms?: Omit<TemplateBody, 'text' | 'html'>;
}

/** Sends a text, or a notification template, through an integration. */
export const sendNotification: ActionKind<ActionOf<'send_notification'>, Request> = {
  async render(action, step) {
    const { integration_id, channel } = action;
    const message = await messageOf(action, step);
    if (!message.ok || channel === undefined)
      return message.ok ? { ok: true, request: { integration_id, ...message.request } } : message;
    const target = renderTemplate(channel, step.values);
    if (!target.ok) return { ok: false, error: `channel: ${target.error}` };
    return { ok: true, request: { integration_id, channel: target.text.trim(), ...message.request } };
  },

  perform: ({ integration_id, channel, text, forms }, step) =>
    inTool(step, integration_id, async ({ row, provider, connection, tools }) => {
      if (!provider.notify) return refused(`${provider.name} cannot receive messages`);
      if (text.trim() === '') return refused('text is empty');
      const { credentials, config } = connection;
      const to = channel === undefined ? config : { ...config, channel };
      const result = await notifyThrough(provider.notify, {
        connection: { credentials, config: to },
        notification: {
          trigger: step.run.trigger,
          text,
          ...(forms && {
            markdown: forms.markdown,
            slackBlocks: forms.slack_blocks,
            discordEmbeds: forms.discord_embeds,
            adaptiveCard: forms.adaptive_card,
          }),
        },
        tools,
      });
      const finding = findingOf(result);
      // The result for a channel of the action says nothing about the channel of the integration.
      const aboutOwn =
        finding !== null && (channel === undefined || (!result.ok && result.refused === 'credentials'));
      const record = aboutOwn
        ? {
            commit: async (tx: Parameters<typeof applyFinding>[0]) =>
              void (await applyFinding(tx, step.work, { row, finding })),
          }
        : {};
      const response = { destination: result.destination, ...(result.note && { note: result.note }) };
      return result.ok
        ? { ok: true, response, output: { destination: result.destination }, ...record }
        : { ok: false, error: result.error, response, retryAfterMs: null, ...record };
    }),
};

/**
 * The message: the text of the action, or a notification template, whose forms that cannot be rendered are left out.
 */
async function messageOf(
  { text, template_id: id }: ActionOf<'send_notification'>,
  { read, run, values }: RenderWork,
): Promise<RenderedRequest<Pick<Request, 'text' | 'forms'>>> {
  if (id === undefined) {
    const rendered = renderTemplate(text ?? '', values);
    return rendered.ok
      ? { ok: true, request: { text: rendered.text } }
      : { ok: false, error: `text: ${rendered.error}` };
  }
  const row = await findTemplate(read, run.workspace_id, { id });
  if (!row) return { ok: false, error: 'template_id: the notification template was deleted' };
  const { id: workspaceId, name, slug } = (await findWorkspace(read, run.workspace_id)) ?? {};
  const scope = { ...values, workspace: { id: workspaceId, name, slug } };
  const { content, problems } = renderContent(contentOf(row), 'event.created', scope);
  const [problem] = problems.filter(({ field }) => field === 'body.text');
  if (problem) return { ok: false, error: `template_id: ${problem.field}: ${problem.issue}` };
  const { markdown, slack_blocks, discord_embeds, adaptive_card } = content;
  return {
    ok: true,
    request: { text: content.text, forms: { markdown, slack_blocks, discord_embeds, adaptive_card } },
  };
}
