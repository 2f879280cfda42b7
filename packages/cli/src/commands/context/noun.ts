import { parseBaseUrl } from '../../config/base-url.ts';
import {
  connectionInfo,
  connectionView,
  savedConnection,
  savedConnections,
  useConnection,
} from '../../config/connections.ts';
import { forgetKey, loadKey, saveKey } from '../../config/saved-key.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

const list = define({
  path: 'context list',
  summary: 'List saved contexts: a server, a key and a default workspace each.',
  aliases: ['ls'],
  examples: ['hubline context list', 'hubline context list --json=name,base_url'],
  view: connectionView,
  run: async (ctx) => savedConnections(await ctx.config()),
});

const show = define({
  path: 'context show',
  summary: 'Show a saved context.',
  aliases: ['view', 'get'],
  args: { context: { summary: 'Name; default: the current one', optional: true } },
  examples: ['hubline context show', 'hubline context show prod --json'],
  view: connectionView,
  async run(ctx, { args }) {
    const config = await ctx.config();
    const name = args.context ?? ctx.globals.context ?? config.current;
    if (name === null) throw usageError('There is no saved context.', 'Run: hubline auth login');
    return connectionInfo(config, name);
  },
});

const create = define({
  path: 'context create',
  summary: 'Save a context without a key, from --base-url and --workspace. With a key: hubline auth login',
  args: { context: { summary: 'Name' } },
  examples: ['hubline context create staging --base-url https://staging.acme.test/v1 -w acme'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Saved context ${name} (${base_url})`,
  async run(ctx, { args: { context: name } }) {
    const { baseUrl, workspace } = ctx.globals;
    if (baseUrl === undefined)
      throw usageError('--base-url is missing.', 'Name the server with --base-url <url>.');
    const config = await ctx.config();
    if (Object.hasOwn(config.contexts, name)) {
      throw new CommandError(
        'conflict',
        `There is already a context "${name}".`,
        'See: hubline context show',
      );
    }
    const saved = {
      base_url: parseBaseUrl(baseUrl, '--base-url'),
      ...(workspace !== undefined && { workspace }),
    };
    const changed = { ...config, contexts: { ...config.contexts, [name]: saved } };
    await ctx.saveConfig(changed);
    return connectionInfo(changed, name);
  },
});

const use = define({
  path: 'context use',
  summary: 'Make a saved context the current one.',
  aliases: ['switch'],
  args: { context: { summary: 'Name' } },
  examples: ['hubline context use prod'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Commands now go to ${name} (${base_url})`,
  run: (ctx, { args }) => useConnection(ctx, args.context),
});

const rename = define({
  path: 'context rename',
  summary: 'Give a saved context another name.',
  args: { context: { summary: 'Name' }, name: { summary: 'New name' } },
  examples: ['hubline context rename local laptop'],
  view: connectionView,
  say: ({ name }, style) => `${style.green('✓')} The context is now called ${name}`,
  async run(ctx, { args: { context: from, name: to } }) {
    const config = await ctx.config();
    const saved = savedConnection(config, from);
    if (Object.hasOwn(config.contexts, to)) {
      throw new CommandError(
        'conflict',
        `There is already a context "${to}".`,
        'Delete it first, or choose another name.',
      );
    }
    const key = await loadKey(ctx, from, saved);
    const kept = key === undefined ? undefined : await saveKey(ctx, to, { base_url: saved.base_url, key });
    const { api_key: _key, key_in: _place, key_prefix: _prefix, ...rest } = saved;
    const { [from]: _gone, ...others } = config.contexts;
    const current = config.current === from ? to : config.current;
    const changed = { ...config, current, contexts: { ...others, [to]: { ...rest, ...kept?.saved } } };
    await ctx.saveConfig(changed);
    await kept?.warn();
    await forgetKey(ctx, from, saved);
    return connectionInfo(changed, to);
  },
});

const remove = define({
  path: 'context delete',
  summary: 'Delete a saved context with its key. Nothing changes on the server.',
  aliases: ['rm'],
  danger: 'confirm',
  question: ({ args }) => `Delete the context ${args.context} and its key from this machine?`,
  args: { context: { summary: 'Name' } },
  examples: ['hubline context delete prod --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted context ${id}`,
  async run(ctx, { args: { context: name } }) {
    const config = await ctx.config();
    await forgetKey(ctx, name, savedConnection(config, name));
    const { [name]: _deleted, ...contexts } = config.contexts;
    await ctx.saveConfig({ ...config, current: config.current === name ? null : config.current, contexts });
    return gone(name);
  },
});

export const commands = [list, use, create, rename, show, remove] as const;
