import { renderTemplate } from '../../../domain/templates/template.ts';
import { factOf } from '../../integrations/integrations.ts';
import { followFact } from '../../integrations/status.ts';
import type { ActionKind, ActionOf } from '../action.ts';
import { inTool, refused } from './in-tool.ts';

interface Request {
  integration_id: string;
  channel?: string;
  text: string;
}

/** Sends a text through an integration. */
export const sendNotification: ActionKind<ActionOf<'send_notification'>, Request> = {
  render({ integration_id, channel, text }, { values }) {
    const rendered = renderTemplate(text, values);
    if (!rendered.ok) return { ok: false, error: `text: ${rendered.error}` };
    if (channel === undefined) return { ok: true, request: { integration_id, text: rendered.text } };
    const place = renderTemplate(channel, values);
    if (!place.ok) return { ok: false, error: `channel: ${place.error}` };
    return { ok: true, request: { integration_id, channel: place.text.trim(), text: rendered.text } };
  },

  perform: ({ integration_id, channel, text }, step) =>
    inTool(step, integration_id, async ({ row, provider, connection, tools }) => {
      if (!provider.notify) return refused(`${provider.name} takes no messages`);
      const { credentials, config } = connection;
      const to = channel === undefined ? config : { ...config, channel };
      const result = await provider.notify(
        { credentials, config: to },
        { eventType: step.run.trigger, text },
        tools,
      );
      const fact = factOf(result);
      // A channel of the action says nothing about that of the integration.
      const aboutOwn =
        fact !== null && (channel === undefined || (!result.ok && result.refused === 'credentials'));
      const record = aboutOwn
        ? {
            commit: async (tx: Parameters<typeof followFact>[0]) =>
              void (await followFact(tx, step.work, { row, fact })),
          }
        : {};
      const response = { destination: result.destination };
      return result.ok
        ? { ok: true, response, output: response, ...record }
        : { ok: false, error: result.error, response, retryAfterMs: null, ...record };
    }),
};
