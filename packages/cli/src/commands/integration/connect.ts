import type { IntegrationConnect, IntegrationCreate } from '@hubline/contract/types';
import { usageError } from '../../errors/errors.ts';
import {
  CONFIG_FLAGS,
  CREDENTIAL_FIELDS,
  credentialCure,
  integrationConfig,
  parseCredentials,
  CONFIG_FIELDS,
} from '../../input/integration-input.ts';
import { define } from '../../spec/command.ts';
import { connectAgain, connectedIntegrationView, sayConnected } from '../../views/integration.ts';
import { askCredentials } from './credentials.ts';
import { connectByOAuth } from './oauth.ts';

export const create = define({
  path: 'integration create',
  summary: 'Add an integration by type and settings. Its credentials can follow with reconnect.',
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
    name: { type: 'text', value: 'name', summary: 'Display name, to tell several of the same kind apart' },
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value if it is not a secret',
    },
  },
  examples: [
    "hubline integration create --provider slack --channel '#releases' --notify-on event.created --severity high",
  ],
  view: connectedIntegrationView,
  say: sayConnected('Created'),
  ifLost: ({ integration_id: id }) => connectAgain(id),
  cure: credentialCure,
  typed: { ...CREDENTIAL_FIELDS, ...CONFIG_FIELDS, type: '--provider' },
  async run(ctx, { flags }) {
    const given = await parseCredentials(ctx, flags.credential);
    const client = await ctx.client();
    const credentials = flags.credential.length > 0 ? given : undefined;
    const config = integrationConfig(flags);
    const { name, provider: type } = flags;
    const body = { type, workspace_id: await ctx.workspace(), name, config, credentials };
    // The server knows more providers than the types, and validates the fields of each.
    return client.integrations.create(body as IntegrationCreate, ctx.request);
  },
});

export const connect = define({
  path: 'integration connect',
  summary: 'Connect an external tool.',
  description:
    'On a terminal it asks for missing credentials, and, if none are given, for optional ones, too. See what a tool needs with: hubline provider get <provider>. ' +
    'With --oauth you allow access in the browser, through the app of: hubline provider configure <provider>',
  endpoints: ['integrations.connect', 'integrations.update', 'oauth.start', 'oauth.get'],
  args: { provider: { summary: 'Key, such as github' } },
  flags: {
    oauth: {
      type: 'boolean',
      summary: 'Connect with OAuth: open the browser, and wait until you allow or refuse access',
    },
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value if it is not a secret',
    },
    ...CONFIG_FLAGS,
    name: { type: 'text', value: 'name', summary: 'Display name, to tell several of the same kind apart' },
  },
  examples: [
    'hubline integration connect github --credential token=@github.token',
    'pass github | hubline integration connect github --credential token=-',
    'hubline integration connect github --oauth --credential repository=acme/web',
  ],
  view: connectedIntegrationView,
  say: sayConnected('Connected'),
  ifLost: ({ integration_id: id }) => connectAgain(id),
  cure: credentialCure,
  typed: { ...CREDENTIAL_FIELDS, ...CONFIG_FIELDS },
  async run(ctx, { args: { provider }, flags }) {
    const given = await parseCredentials(ctx, flags.credential);
    const client = await ctx.client();
    const config = integrationConfig(flags);
    const { name } = flags;
    if (flags.oauth) {
      const integration = await connectByOAuth(ctx, { provider, settings: given, config });
      if (name === undefined) return integration;
      return client.integrations.update(integration.integration_id, { name }, ctx.request);
    }
    const credentials = await askCredentials(ctx, provider, given);
    const body = { provider, workspace_id: await ctx.workspace(), name, credentials, config };
    // The server knows more providers than the types, and validates the fields of each.
    return client.integrations.connect(body as IntegrationConnect, ctx.request);
  },
});

export const reconnect = define({
  path: 'integration reconnect',
  summary: 'Replace the credentials of an integration.',
  description:
    "Give the required credentials, and what changes. Optional ones that are left out stay, such as the notify_url of a custom integration, and so does the secret that verifies the tool's calls. Only a stored domain must be given again, or removed: the new token goes there. " +
    'A new preset or verification of a custom integration replaces all of its verification rules.',
  endpoints: ['integrations.reconnect'],
  args: { integration: { summary: 'ID' } },
  flags: {
    credential: {
      type: 'text',
      value: 'name=@file',
      repeatable: true,
      summary: 'Credential from a file, or from stdin with name=-; name=value if it is not a secret',
    },
    remove: {
      type: 'text',
      value: 'name',
      repeatable: true,
      summary: 'Optional credential to remove; if Hubline made the secret, it makes a new one',
    },
    overlap: {
      type: 'duration',
      value: 'duration',
      summary: 'How long calls with the old secret are still accepted, at most 7d; 0s ends that',
    },
  },
  examples: [
    'hubline integration reconnect int_06f8xw2b3c4d5e6f7g8h9j0kmn --credential token=@github.token',
    'hubline integration reconnect int_06f8xw2b3c4d5e6f7g8h9j0kmn --remove secret --overlap 24h',
  ],
  view: connectedIntegrationView,
  say: sayConnected('Reconnected'),
  ifLost: ({ integration_id: id }) => connectAgain(id),
  cure: credentialCure,
  typed: { ...CREDENTIAL_FIELDS, remove: '--remove', overlap_seconds: '--overlap' },
  async run(ctx, { args: { integration }, flags: { credential, remove, overlap } }) {
    const given = await parseCredentials(ctx, credential);
    if (!ctx.interactive && credential.length + remove.length === 0 && overlap === undefined) {
      throw usageError('--credential is missing.', 'See: hubline integration reconnect --help');
    }
    const client = await ctx.client();
    const { provider } = await client.integrations.get(integration, { signal: ctx.signal });
    const credentials = await askCredentials(ctx, provider, given);
    const body = {
      credentials,
      ...(remove.length > 0 && { remove }),
      ...(overlap !== undefined && { overlap_seconds: Math.ceil(overlap / 1_000) }),
    };
    return client.integrations.reconnect(integration, body, ctx.request);
  },
});
