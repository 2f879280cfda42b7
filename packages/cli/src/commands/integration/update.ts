import type { IntegrationConfig } from '@hubline/contract/types';
import { usageError } from '../../errors.ts';
import { CONFIG_FLAGS, integrationConfig } from '../../input/integration-config.ts';
import { readJsonObject } from '../../input/read-json.ts';
import { define } from '../../spec/command.ts';
import { integrationView } from '../../views/integration.ts';

export const command = define({
  path: 'integration update',
  summary: 'Change the notification settings of an integration.',
  description: 'What is not named stays as it is; --config replaces all settings.',
  endpoints: ['integrations.get', 'integrations.update'],
  args: { integration: { summary: 'Id' } },
  flags: {
    ...CONFIG_FLAGS,
    config: { type: 'text', value: 'json|@file|-', summary: 'All settings, as JSON' },
  },
  examples: [
    "hubline integration update int_06f8xw2b3c4d5e6f7g8h9j0kmn --channel '#ops'",
    'hubline integration update int_06f8xw2b3c4d5e6f7g8h9j0kmn --config @config.json',
  ],
  view: integrationView,
  say: ({ provider, integration_id }, style) => `${style.green('✓')} Updated ${provider} (${integration_id})`,
  async run(ctx, { args: { integration }, flags }) {
    const changes = integrationConfig(flags);
    const some = Object.keys(changes).length > 0;
    if (some === (flags.config !== undefined)) {
      throw usageError(
        some ? '--config replaces all settings.' : 'There is nothing to change.',
        'Give either --config, or some of --channel, --notify-on, --severity.',
      );
    }
    const whole =
      flags.config === undefined ? undefined : await readJsonObject(ctx, flags.config, '--config');
    const client = await ctx.client();
    const config: IntegrationConfig = whole ?? {
      ...(await client.integrations.get(integration, { signal: ctx.signal })).config,
      ...changes,
    };
    return client.integrations.update(integration, { config }, ctx.request);
  },
});
