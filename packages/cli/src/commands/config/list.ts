import { CONFIG_KEYS } from '../../config/keys.ts';
import { define } from '../../spec/command.ts';
import { type ConfigEntry, configEntryView } from '../../views/config-entry.ts';

export const command = define({
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
