import type { IntegrationConnect } from '@hubline/contract/types';
import { askCredentials } from '../../client/ask-credentials.ts';
import { CONFIG_FLAGS, integrationConfig } from '../../input/integration-config.ts';
import { credentialCure, parseCredentials } from '../../input/credentials.ts';
import { define } from '../../spec/command.ts';
import { connectedIntegrationView, sayConnected } from '../../views/integration.ts';

export const command = define({
  path: 'integration connect',
  summary: 'Connect an external tool.',
  description:
    'On a terminal, missing credentials are asked for. See what a tool needs with: hubline provider get <provider>',
  endpoints: ['integrations.connect'],
  args: { provider: { summary: 'Key, such as github' } },
  flags: {
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value where it is no secret',
    },
    ...CONFIG_FLAGS,
  },
  examples: [
    'hubline integration connect github --credential token=@github.token',
    'pass github | hubline integration connect github --credential token=-',
  ],
  view: connectedIntegrationView,
  say: sayConnected('Connected'),
  cure: credentialCure,
  async run(ctx, { args: { provider }, flags }) {
    const given = await parseCredentials(ctx, flags.credential);
    const client = await ctx.client();
    const credentials = await askCredentials(ctx, provider, given);
    const config = integrationConfig(flags);
    const body = { provider, workspace_id: await ctx.workspace(), credentials, config };
    // The server knows more providers than the types, and judges the fields of each.
    return client.integrations.connect(body as IntegrationConnect, ctx.request);
  },
});
