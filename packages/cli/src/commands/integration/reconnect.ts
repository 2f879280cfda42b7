import { askCredentials } from '../../client/ask-credentials.ts';
import { usageError } from '../../errors.ts';
import { credentialCure, parseCredentials } from '../../input/credentials.ts';
import { define } from '../../spec/command.ts';
import { connectedIntegrationView, sayConnected } from '../../views/integration.ts';

export const command = define({
  path: 'integration reconnect',
  summary: 'Replace the credentials of an integration.',
  endpoints: ['integrations.reconnect'],
  args: { integration: { summary: 'Id' } },
  flags: {
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value where it is no secret',
    },
  },
  examples: ['hubline integration reconnect int_06f8xw2b3c4d5e6f7g8h9j0kmn --credential token=@github.token'],
  view: connectedIntegrationView,
  say: sayConnected('Reconnected'),
  cure: credentialCure,
  async run(ctx, { args: { integration }, flags }) {
    const given = await parseCredentials(ctx, flags.credential);
    if (!ctx.interactive && flags.credential.length === 0) {
      throw usageError('--credential is missing.', 'See: hubline integration reconnect --help');
    }
    const client = await ctx.client();
    const { provider } = await client.integrations.get(integration, { signal: ctx.signal });
    const credentials = await askCredentials(ctx, provider, given);
    return client.integrations.reconnect(integration, { credentials }, ctx.request);
  },
});
