import type { IntegrationCreate } from '@hubline/contract/types';
import { CONFIG_FLAGS, integrationConfig } from '../../input/integration-config.ts';
import { credentialCure, parseCredentials } from '../../input/credentials.ts';
import { define } from '../../spec/command.ts';
import { connectedIntegrationView, sayConnected } from '../../views/integration.ts';

export const command = define({
  path: 'integration create',
  summary:
    'Add an integration by type and settings: the variant of connect. Credentials may follow with reconnect.',
  endpoints: ['integrations.create'],
  flags: {
    provider: {
      type: 'text',
      value: 'provider',
      required: true,
      prompt: 'Provider',
      summary: 'Key, such as slack',
    },
    ...CONFIG_FLAGS,
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value where it is no secret',
    },
  },
  examples: [
    "hubline integration create --provider slack --channel '#releases' --notify-on event.created --severity high",
  ],
  view: connectedIntegrationView,
  say: sayConnected('Created'),
  cure: credentialCure,
  async run(ctx, { flags }) {
    const given = await parseCredentials(ctx, flags.credential);
    const client = await ctx.client();
    const credentials = flags.credential.length > 0 ? given : undefined;
    const config = integrationConfig(flags);
    const body = { type: flags.provider, workspace_id: await ctx.workspace(), config, credentials };
    // The server knows more providers than the types, and judges the fields of each.
    return client.integrations.create(body as IntegrationCreate, ctx.request);
  },
});
