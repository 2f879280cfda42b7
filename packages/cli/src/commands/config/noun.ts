import { once } from 'node:events';
import { configFile, readConfig } from '../../config/config-file.ts';
import { maskKey } from '../../config/connections.ts';
import { changeConfig, CONFIG_KEYS, configKey } from '../../config/keys.ts';
import { explainLimits } from '../../config/limits.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { resolvePager } from '../../terminal/choose-pager.ts';

/** A saved setting. */
interface ConfigEntry {
  readonly setting: string;
  readonly value: string | null;
}

const configEntryView = view<ConfigEntry>()({
  noun: ['setting', 'settings'],
  fields: ['setting', 'value'],
  columns: ['setting', { path: 'value', flexible: true }],
  id: 'value',
});

const list = define({
  path: 'config list',
  summary: 'List the settings that can be saved, and their saved values.',
  aliases: ['ls'],
  examples: ['hubline config list', 'hubline config list --json'],
  view: configEntryView,
  async *run(ctx): AsyncGenerator<ConfigEntry> {
    const config = await ctx.config();
    for (const [setting, key] of Object.entries(CONFIG_KEYS))
      yield { setting, value: key.read(config) ?? null };
  },
});

const get = define({
  path: 'config get',
  summary: 'Print a saved setting. For the value in use, see config explain. Exit code 4 if it is not set.',
  aliases: ['view', 'show'],
  args: { setting: { summary: Object.keys(CONFIG_KEYS).join(', '), choices: Object.keys(CONFIG_KEYS) } },
  examples: ['hubline config get workspace'],
  view: configEntryView,
  say: ({ value }) => value ?? '',
  async run(ctx, { args: { setting } }): Promise<ConfigEntry> {
    const value = configKey(setting).read(await ctx.config());
    if (value === undefined)
      throw new CommandError(
        'not_found',
        `${setting} is not set.`,
        `Set it with: hubline config set ${setting} <value>`,
      );
    return { setting, value };
  },
});

const set = define({
  path: 'config set',
  summary: 'Save a setting.',
  description: `Settings: ${Object.entries(CONFIG_KEYS)
    .map(([name, { summary }]) => `${name} (${summary})`)
    .join(', ')}. Flags and the environment win over them.`,
  args: {
    setting: { summary: Object.keys(CONFIG_KEYS).join(', '), choices: Object.keys(CONFIG_KEYS) },
    value: { summary: 'New value' },
  },
  examples: ['hubline config set workspace acme', 'hubline config set max_wait 5m'],
  view: configEntryView,
  say: ({ setting, value }, style) => `${style.green('✓')} ${setting} is now ${value}`,
  async run(ctx, { args: { setting, value } }): Promise<ConfigEntry> {
    await changeConfig(ctx, setting, value);
    return { setting, value };
  },
});

const unset = define({
  path: 'config unset',
  summary: 'Forget a saved setting.',
  aliases: ['rm'],
  args: { setting: { summary: Object.keys(CONFIG_KEYS).join(', '), choices: Object.keys(CONFIG_KEYS) } },
  examples: ['hubline config unset max_wait'],
  view: configEntryView,
  say: ({ setting }, style) => `${style.green('✓')} ${setting} is no longer set`,
  async run(ctx, { args: { setting } }): Promise<ConfigEntry> {
    await changeConfig(ctx, setting, undefined);
    return { setting, value: null };
  },
});

interface Explained {
  readonly setting: string;
  readonly value: string | null;
  /** The flag, variable or context that set it. */
  readonly source: string | null;
}

const explain = define({
  path: 'config explain',
  summary:
    'Show every setting in use, and its source: flag, environment, ./.hubline.toml, context or default.',
  examples: ['hubline config explain', 'hubline config explain --context prod --json'],
  view: view<Explained>()({
    noun: ['setting', 'settings'],
    fields: ['setting', 'value', 'source'],
    columns: ['setting', { path: 'value', flexible: true }, 'source'],
    id: 'setting',
  }),
  async *run(ctx): AsyncGenerator<Explained> {
    const { context, baseUrl, apiKey, workspace } = await ctx.settings();
    const { globals, env } = ctx;
    const config = await ctx.config();
    const limits = explainLimits({ globals, project: await ctx.project(), config });
    const pager = resolvePager({ noPager: globals.noPager, env, config });
    const rows = { context, base_url: baseUrl, api_key: apiKey, workspace, ...limits, pager };
    for (const [setting, found] of Object.entries(rows)) {
      const value = found && setting === 'api_key' ? maskKey(found.value) : found?.value;
      yield { setting, value: value ?? null, source: found?.source ?? null };
    }
  },
});

const path = define({
  path: 'config path',
  summary: 'Print the path of the configuration file.',
  examples: ['hubline config path'],
  view: view<{ path: string }>()({
    noun: ['file', 'files'],
    fields: ['path'],
    columns: ['path'],
    id: 'path',
  }),
  say: ({ path }) => path,
  run: async (ctx) => ({ path: configFile(ctx.configDirectory()) }),
});

const edit = define({
  path: 'config edit',
  summary: 'Open the configuration file in $VISUAL or $EDITOR, and check it afterward.',
  examples: ['hubline config edit'],
  view: view<{ path: string }>()({
    noun: ['file', 'files'],
    fields: ['path'],
    columns: ['path'],
    id: 'path',
  }),
  say: ({ path }, style) => `${style.green('✓')} ${path} is well-formed`,
  async run(ctx) {
    if (!ctx.interactive)
      throw usageError('An editor needs a terminal.', 'Use hubline config set and unset.');
    const editor = ctx.env['VISUAL'] || ctx.env['EDITOR'];
    if (!editor) throw usageError('No editor is set.', 'Set VISUAL or EDITOR, for example to "vi".');
    // Made first, so that it is readable for its owner only, whatever the editor does.
    await ctx.saveConfig(await ctx.config());
    const path = configFile(ctx.configDirectory());
    const code = await ctx.perform(`open it with ${editor}`, () => runEditor(editor, path));
    if (code !== 0)
      throw usageError(
        code === null ? `${editor} was ended by a signal.` : `${editor} ended with exit code ${code}.`,
        'Check VISUAL and EDITOR.',
      );
    readConfig(ctx.configDirectory(), (message) => void ctx.warn(message));
    return { path };
  },
});

/** The exit code of an editor, which may have arguments: `code --wait`. The shell gets the path as a parameter, never as program text. */
async function runEditor(editor: string, path: string): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { shell: true, stdio: 'inherit' })
      : spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

export const commands = [list, get, set, unset, edit, explain, path] as const;
