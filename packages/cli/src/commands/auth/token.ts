import { requireApiKey } from '../../config/settings.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

export const command = define({
  path: 'auth token',
  summary: 'Print the key in use, for another program. Keep it out of logs.',
  examples: ['hubline auth token | pbcopy'],
  view: view<{ key: string }>()({ noun: ['key', 'keys'], fields: ['key'], columns: ['key'], id: 'key' }),
  say: ({ key }) => key,
  run: async (ctx) => ({ key: requireApiKey(await ctx.settings()) }),
});
