import { changeConfig, CONFIG_KEYS } from '../../config/keys.ts';
import { define } from '../../spec/command.ts';
import { type ConfigEntry, configEntryView } from '../../views/config-entry.ts';

export const command = define({
  path: 'config unset',
  summary: 'Forget a saved setting.',
  aliases: ['rm'],
  args: { setting: { summary: Object.keys(CONFIG_KEYS).join(', '), choices: Object.keys(CONFIG_KEYS) } },
  examples: ['hubline config unset max_wait'],
  view: configEntryView,
  say: ({ setting }, style) => `${style.green('✓')} ${setting} is not set any more`,
  async run(ctx, { args: { setting } }): Promise<ConfigEntry> {
    await changeConfig(ctx, setting, undefined);
    return { setting, value: null };
  },
});
