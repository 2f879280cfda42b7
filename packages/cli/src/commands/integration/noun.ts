import type { IntegrationConfig } from '@hubline/contract/types';
import { eachId, paged } from '../../client/lists.ts';
import { usageError } from '../../errors/errors.ts';
import { CONFIG_FLAGS, integrationConfig, CONFIG_FIELDS } from '../../input/integration-input.ts';
import { readJsonObject } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import {
  integrationListView,
  integrationSyncView,
  integrationTestView,
  integrationView,
} from '../../views/integration.ts';
import { connect, create, reconnect } from './connect.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const list = define({
  path: 'integration list',
  summary: 'List the integrations of the workspace.',
  aliases: ['ls'],
  endpoints: ['integrations.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline integration list', 'hubline integration list -w acme --json=integration_id,status'],
  view: integrationListView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.integrations.list(workspace, query, ctx.request));
  },
});

const get = define({
  path: 'integration get',
  summary: 'Show integrations: status, settings, and where their events come in.',
  aliases: ['view', 'show'],
  endpoints: ['integrations.get'],
  args: { integration: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline integration get int_06f8xw2b3c4d5e6f7g8h9j0kmn --json=ingest'],
  view: integrationView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.integration, (id) => client.integrations.get(id, ctx.request));
  },
});

const update = define({
  path: 'integration update',
  summary: 'Change the name or the notification settings of an integration.',
  description: 'Other fields stay as they are; --config replaces all settings.',
  needsFlag: true,
  endpoints: ['integrations.get', 'integrations.update'],
  args: { integration: { summary: 'ID' } },
  flags: {
    ...CONFIG_FLAGS,
    config: { type: 'text', value: 'json|@file|-', summary: 'All settings, as JSON' },
    name: { type: 'text', value: 'name', summary: 'New name' },
  },
  examples: [
    "hubline integration update int_06f8xw2b3c4d5e6f7g8h9j0kmn --channel '#ops'",
    'hubline integration update int_06f8xw2b3c4d5e6f7g8h9j0kmn --config @config.json',
  ],
  typed: CONFIG_FIELDS,
  view: integrationView,
  say: ({ provider, integration_id }, style) => `${style.green('✓')} Updated ${provider} (${integration_id})`,
  async run(ctx, { args: { integration }, flags }) {
    const changes = integrationConfig(flags);
    const some = Object.keys(changes).length > 0;
    const { name } = flags;
    if (some && flags.config !== undefined)
      throw usageError(
        '--config replaces all settings.',
        'Give either --config, or some of --channel, --notify-on, --severity.',
      );
    const whole =
      flags.config === undefined ? undefined : await readJsonObject(ctx, flags.config, '--config');
    const client = await ctx.client();
    const config: IntegrationConfig | undefined = some
      ? { ...(await client.integrations.get(integration, { signal: ctx.signal })).config, ...changes }
      : whole;
    return client.integrations.update(integration, { config, name }, ctx.request);
  },
});

const test = define({
  path: 'integration test',
  summary: 'Send a test notification. Exit code 9 if its destination does not accept it.',
  endpoints: ['integrations.test'],
  args: { integration: { summary: 'ID' } },
  flags: {
    trigger: {
      type: 'text',
      value: 'trigger',
      default: 'event.created',
      summary: 'Trigger that the notification simulates',
    },
    message: {
      type: 'text',
      value: 'text',
      default: 'Test notification from hubline',
      summary: 'Text to send',
    },
  },
  typed: { event_type: '--trigger', payload: '--message' },
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
          hint: `Check its settings: hubline integration get ${shellWord(integration_id)}`,
        },
  async run(ctx, { args, flags: { trigger, message } }) {
    const client = await ctx.client();
    const body = { event_type: trigger, payload: { message } };
    return client.integrations.test(args.integration, body, ctx.request);
  },
});

const sync = define({
  path: 'integration sync',
  summary: 'Sync: fetch from the tool the events whose calls did not arrive. Runs in the background.',
  description:
    'The tool sends failed calls again, or past changes become events; no event is stored twice. ' +
    'See its progress with: hubline integration get <integration> --json=sync',
  endpoints: ['integrations.sync'],
  args: { integration: { summary: 'ID' } },
  examples: ['hubline integration sync int_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: integrationSyncView,
  say: ({ since }, style) => `${style.green('✓')} Syncing what happened since ${since}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.integrations.sync(args.integration, ctx.request);
  },
});

const disconnect = define({
  path: 'integration disconnect',
  summary:
    'Disconnect integrations: credentials are deleted, events stop, and webhooks that exist only for them are deleted.',
  aliases: ['delete', 'rm'],
  endpoints: ['integrations.disconnect'],
  danger: 'confirm',
  question: ({ args }) => `Disconnect ${args.integration.join(', ')} and delete the credentials?`,
  args: { integration: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline integration disconnect int_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Disconnected ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.integration, async (id) => {
      await client.integrations.disconnect(workspace, id, ctx.request);
      return gone(id);
    });
  },
});

export const commands = [list, get, connect, create, update, test, sync, reconnect, disconnect] as const;
