import { paged } from '../../client/lists.ts';
import type { Context } from '../../context.ts';
import { assertOneStdin, readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { oauthAppView, providerView } from '../../views/integration.ts';
import { findProvider } from '../integration/credentials.ts';
import {
  defineProvider,
  definition,
  definitions,
  presets,
  preview,
  redefine,
  undefine,
} from './definitions.ts';

const list = define({
  path: 'provider list',
  summary: 'List the external tools that can be connected.',
  aliases: ['ls'],
  endpoints: ['integrations.listProviders'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline provider list', 'hubline provider list --json=provider,required_credentials'],
  view: providerView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    return paged(ctx, flags, (query) => client.integrations.listProviders(query, ctx.request));
  },
});

const get = define({
  path: 'provider get',
  summary: 'Show an external tool and the credentials it needs.',
  description: 'It can be a tool that the workspace has defined.',
  aliases: ['view', 'show'],
  endpoints: ['integrations.listProviders'],
  args: { provider: { summary: 'Key, such as github' } },
  examples: ['hubline provider get github'],
  view: providerView,
  run: (ctx, { args }) => findProvider(ctx, args.provider),
});

const apps = define({
  path: 'provider apps',
  summary: "List the tools that connect with OAuth, with the workspace's app for each.",
  endpoints: ['oauth.listApps'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline provider apps', 'hubline provider apps --json=provider,redirect_uri'],
  view: oauthAppView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.oauth.listApps(workspace, query, ctx.request));
  },
});

const configure = define({
  path: 'provider configure',
  summary: 'Store the OAuth app that you created in a tool.',
  description:
    'Create the app in the tool first, with the redirect URL of: hubline provider apps. On a terminal it asks for what is missing.',
  endpoints: ['oauth.configureApp'],
  args: { provider: { summary: 'Key, such as slack' } },
  flags: {
    'client-id': {
      type: 'text',
      value: 'id',
      required: true,
      prompt: 'Client ID',
      summary: 'Client ID of the app',
    },
    'client-secret-file': { type: 'text', value: 'file|-', summary: 'File with its client secret, or stdin' },
    'signing-secret-file': {
      type: 'text',
      value: 'file|-',
      summary: 'File with the secret that signs its calls, or stdin; for Slack',
    },
    domain: { type: 'text', value: 'host', summary: 'Host of a self-managed server' },
  },
  examples: [
    'hubline provider configure github --client-id Iv1.8a61f9b3a7aba766 --client-secret-file secret.txt',
  ],
  typed: { client_secret: '--client-secret-file', signing_secret: '--signing-secret-file' },
  view: oauthAppView,
  say: ({ provider }, style) => `${style.green('✓')} Configured the OAuth app of ${provider}`,
  async run(ctx, { args: { provider }, flags }) {
    const { clientId, clientSecretFile, signingSecretFile, domain } = flags;
    assertOneStdin({ '--client-secret-file': clientSecretFile, '--signing-secret-file': signingSecretFile });
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const signing_secret =
      signingSecretFile === undefined
        ? undefined
        : await readSecret(ctx, signingSecretFile, '--signing-secret-file');
    const body = {
      provider,
      client_id: clientId,
      client_secret: await clientSecret(ctx, clientSecretFile),
      ...(signing_secret === undefined ? {} : { signing_secret }),
      ...(domain === undefined ? {} : { domain }),
    };
    return client.oauth.configureApp(workspace, body, ctx.request);
  },
});

async function clientSecret(ctx: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return readSecret(ctx, file, '--client-secret-file');
  return (await ctx.prompt('--client-secret-file')).secret('Client secret');
}

const unconfigure = define({
  path: 'provider unconfigure',
  summary: "Remove the workspace's OAuth app for a tool.",
  description: 'Integrations that were connected through it keep working until their access ends.',
  endpoints: ['oauth.removeApp'],
  args: { provider: { summary: 'Key, such as slack' } },
  danger: 'confirm',
  question: ({ args: { provider } }) => `Remove the OAuth app of ${provider} from the workspace?`,
  examples: ['hubline provider unconfigure github --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Removed the OAuth app of ${id}`,
  async run(ctx, { args: { provider } }) {
    const client = await ctx.client();
    await client.oauth.removeApp(await ctx.workspace(), provider, ctx.request);
    return gone(provider);
  },
});

export const commands = [
  list,
  get,
  presets,
  defineProvider,
  definitions,
  definition,
  redefine,
  undefine,
  preview,
  apps,
  configure,
  unconfigure,
] as const;
