import { CommandError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './require-database.ts';

export const command = define({
  path: 'server setup-link',
  summary: 'Print a new one-time link to make the first owner; links before it stop working.',
  flags: {
    ...STORAGE_FLAGS,
    host: { type: 'text', value: 'address', summary: 'Address of the server, as given to server start' },
    port: { type: 'text', value: 'port', summary: 'Port of the server, as given to server start' },
    'public-url': { type: 'text', value: 'url', summary: 'Address at which others reach the server' },
  },
  examples: [
    'hubline server setup-link',
    'hubline server setup-link --data ./data --public-url https://hub.example.com',
  ],
  view: view<{ url: string }>()({ noun: ['link', 'links'], fields: ['url'], columns: ['url'], id: 'url' }),
  say: ({ url }) => url,
  async run(ctx, { flags: { data, databaseUrl, host, port, publicUrl } }) {
    const { newSetupLink, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl, host, port, publicUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    const url = await ctx.perform(`make a new set-up link in ${databaseOf(config)}`, () =>
      newSetupLink(config),
    );
    if (url === null) {
      throw new CommandError(
        'conflict',
        'There is an owner already.',
        'For another key: hubline server bootstrap --new-key',
      );
    }
    return { url };
  },
});
