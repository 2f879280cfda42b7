import { CONFIG_KEYS, configKey } from '../../config/keys.ts';
import { CommandError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { type ConfigEntry, configEntryView } from '../../views/config-entry.ts';

export const command = define({
  path: 'config get',
  summary:
    'Print a saved setting. What is in use, and why, says config explain. Exit code 4 if it is not set.',
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
