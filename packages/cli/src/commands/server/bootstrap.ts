import { resolve } from 'node:path';
import type { ServerConfig } from '@hubline/server';
import { loginCommand } from '../../config/settings.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './require-database.ts';
import { announcedServer } from './server-file.ts';

interface Bootstrapped {
  readonly user_id: string;
  readonly api_key: string;
  readonly workspace_id: string | null;
}

export const command = define({
  path: 'server bootstrap',
  summary: 'Make the first owner with a personal key, directly in the database.',
  description:
    'For unattended set-ups; works while the server is stopped or running. The key is printed this once. A database that is not there is made where --data says; without --data that has to be confirmed.',
  flags: {
    ...STORAGE_FLAGS,
    email: {
      type: 'text',
      value: 'email',
      required: true,
      prompt: 'E-mail',
      summary: 'E-mail address of the owner',
    },
    name: { type: 'text', value: 'name', summary: 'Name of a first workspace' },
    slug: { type: 'text', value: 'slug', summary: 'Slug of the first workspace' },
    'new-key': { type: 'boolean', summary: 'Make another key when there is a user already' },
  },
  examples: [
    'hubline server bootstrap --data ./hubline-data --email ana@acme.test --json',
    'hubline server bootstrap --email ana@acme.test --name Acme --slug acme',
  ],
  view: view<Bootstrapped>()({
    noun: ['owner', 'owners'],
    fields: ['user_id', 'api_key', 'workspace_id'],
    columns: ['user_id', 'workspace_id'],
    id: 'user_id',
    once: ['api_key'],
    reveal: ['workspace_id'],
  }),
  say: ({ user_id }, style) => `${style.green('✓')} Made the owner ${user_id}. The key is shown only now:`,
  async run(ctx, { flags: { data, databaseUrl, email, name, slug, newKey } }): Promise<Bootstrapped> {
    const { bootstrap, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    const isNew = await requireDatabase(ctx, config, { data, mayCreate: true });
    const made = await ctx.perform(`make a key for ${email} in ${databaseOf(config)}`, () =>
      bootstrap(config, { email, name, slug, newKey }),
    );
    if (!ctx.machine) {
      ctx.noteBelow(`It is for ${databaseOf(config)}${isNew ? ', which is new' : ''}.`);
      ctx.noteBelow(nextStep(config));
    }
    return made;
  },
});

/** Where the new key is of use: the server that runs on this database, or the one that is still to be started. */
function nextStep({ data, databaseUrl }: ServerConfig): string {
  const running = databaseUrl === undefined ? announcedServer(data) : null;
  if (running) return `Log in with it: ${loginCommand(running.base_url)}`;
  const where = databaseUrl === undefined ? ` --data ${resolve(data)}` : '';
  return `Start the server: hubline server start${where}. Then log in: hubline auth login`;
}
