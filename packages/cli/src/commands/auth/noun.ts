import {
  connectionInfo,
  connectionView,
  loginStatus,
  loginStatusView,
  savedConnection,
  savedConnections,
  useConnection,
} from '../../config/connections.ts';
import { forgetKey } from '../../config/saved-key.ts';
import { requireApiKey } from '../../config/settings.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { command as login } from './login.ts';

const list = define({
  path: 'auth list',
  summary: 'List saved logins, with the first characters of their keys.',
  aliases: ['ls'],
  examples: ['hubline auth list'],
  view: connectionView,
  run: async (ctx) => savedConnections(await ctx.config()),
});

const status = define({
  path: 'auth status',
  summary: 'Show the key and server in use, and check them. Exit code 3 if they do not work.',
  endpoints: ['me.get'],
  examples: ['hubline auth status', 'hubline auth status --json=email,key_source'],
  view: loginStatusView,
  async run(ctx) {
    const client = await ctx.client();
    const { context, baseUrl, apiKey, workspace } = await ctx.settings();
    return loginStatus(await client.me.get(ctx.request), {
      context: context?.value ?? null,
      base_url: baseUrl.value,
      key_source: apiKey?.source ?? 'none',
      workspace: workspace?.value,
    });
  },
});

const switchLogin = define({
  path: 'auth switch',
  summary: 'Use another saved login: the same as hubline context use.',
  args: { context: { summary: 'Name' } },
  examples: ['hubline auth switch prod'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Commands now go to ${name} (${base_url})`,
  run: (ctx, { args }) => useConnection(ctx, args.context),
});

const token = define({
  path: 'auth token',
  summary: 'Print the key in use, for another program. Keep it out of logs.',
  examples: ['hubline auth token | pbcopy'],
  view: view<{ key: string }>()({ noun: ['key', 'keys'], fields: ['key'], columns: ['key'], id: 'key' }),
  say: ({ key }) => key,
  run: async (ctx) => ({ key: requireApiKey(await ctx.settings()) }),
});

const logout = define({
  path: 'auth logout',
  summary: 'Forget the saved key of a context. The key itself stays valid: see hubline key revoke.',
  args: { context: { summary: 'Name; default: the current context', optional: true } },
  examples: ['hubline auth logout', 'hubline auth logout prod'],
  view: connectionView,
  say: ({ name }, style) => `${style.green('✓')} Logged out of context ${name}`,
  async run(ctx, { args }) {
    const config = await ctx.config();
    const name = args.context ?? ctx.globals.context ?? config.current;
    if (name === null)
      throw usageError('There is no saved context.', 'A key in HUBLINE_API_KEY is not kept here: unset it.');
    const saved = savedConnection(config, name);
    await forgetKey(ctx, name, saved);
    const { api_key: _key, key_in: _place, key_prefix: _prefix, ...rest } = saved;
    const changed = { ...config, contexts: { ...config.contexts, [name]: rest } };
    await ctx.saveConfig(changed);
    return connectionInfo(changed, name);
  },
});

export const commands = [login, status, logout, switchLogin, list, token] as const;
