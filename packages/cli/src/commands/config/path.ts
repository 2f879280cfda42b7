import { configFile } from '../../config/config-file.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

export const command = define({
  path: 'config path',
  summary: 'Print where the configuration is kept.',
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
