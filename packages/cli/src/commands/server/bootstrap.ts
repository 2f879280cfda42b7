import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';

interface Bootstrapped {
  readonly user_id: string;
  readonly api_key: string;
  readonly workspace_id: string | null;
}

export const command = define({
  path: 'server bootstrap',
  summary: 'Make the first owner with a personal key, directly in the database.',
  description:
    'For unattended set-ups; works while the server is stopped or running. The key is printed this once.',
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
    return ctx.perform(`make a key for ${email} in ${databaseOf(config)}`, () =>
      bootstrap(config, { email, name, slug, newKey }),
    );
  },
});
