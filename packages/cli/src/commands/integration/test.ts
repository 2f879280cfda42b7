import { define } from '../../spec/command.ts';
import { integrationTestView } from '../../views/integration.ts';

export const command = define({
  path: 'integration test',
  summary: 'Send a test notification. Exit code 9 if its destination does not accept it.',
  endpoints: ['integrations.test'],
  args: { integration: { summary: 'Id' } },
  flags: {
    trigger: {
      type: 'text',
      value: 'trigger',
      default: 'event.created',
      summary: 'Trigger that the notification imitates',
    },
    message: {
      type: 'text',
      value: 'text',
      default: 'Test notification from hubline',
      summary: 'Text to send',
    },
  },
  examples: ['hubline integration test int_06f8xw2b3c4d5e6f7g8h9j0kmn --message hello && echo delivered'],
  view: integrationTestView,
  say: ({ success, destination, error }, style) =>
    success
      ? `${style.green('✓')} Delivered to ${destination}`
      : `${style.red('✗')} ${destination}: ${error ?? 'refused'}`,
  refusal: ({ success, destination, integration_id }) =>
    success
      ? undefined
      : {
          message: `The test was not delivered to ${destination}.`,
          hint: `Check its settings: hubline integration get ${integration_id}`,
        },
  async run(ctx, { args, flags: { trigger, message } }) {
    const client = await ctx.client();
    const body = { event_type: trigger, payload: { message } };
    return client.integrations.test(args.integration, body, ctx.request);
  },
});
