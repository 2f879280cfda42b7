import { changeConfig, CONFIG_KEYS } from '../../config/keys.ts';
import { define } from '../../spec/command.ts';
import { type ConfigEntry, configEntryView } from '../../views/config-entry.ts';

export const command = define({
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
