import type { ServerConfig } from '@hubline/server';
import { resolve } from 'node:path';
import { loginCommand } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { shellWord } from '../../terminal/shell-word.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { announcedServer, clientUrl } from './server-file.ts';
import { requireDatabase } from './storage/storage.ts';

interface Bootstrapped {
  readonly user_id: string;
  readonly api_key: string;
  readonly workspace_id: string | null;
}

export const bootstrap = define({
  path: 'server bootstrap',
  summary: 'Create the first owner with a personal key, directly in the database.',
  description:
    'For unattended setups. Works while the server is stopped or running. The key is printed once. If there is no database, it creates one in --data; without --data it asks first.',
  flags: {
    ...STORAGE_FLAGS,
    email: {
      type: 'text',
      value: 'email',
      required: true,
      prompt: 'Email',
      summary: 'Email address of the owner',
    },
    name: { type: 'text', value: 'name', summary: 'Name of a workspace to create' },
    slug: { type: 'text', value: 'slug', summary: 'Slug of that workspace' },
    'new-key': { type: 'boolean', summary: 'Create another key even if there is already a user' },
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
    oneTimeSecrets: ['api_key'],
    ofLoss: (user) => `A new key of ${user} exists, but it`,
    reveal: ['workspace_id'],
  }),
  say: ({ user_id }, style) => `${style.green('✓')} Created a key for ${user_id}. It is shown only now:`,
  ifLost: (_made, { flags: { email } }) =>
    `Create another key, and revoke the lost one with it: hubline server bootstrap --new-key --email ${shellWord(email)}`,
  cure: ({ status }, { flags: { email, newKey } }) =>
    status === 409 && !newKey
      ? `For another key: hubline server bootstrap --new-key --email ${shellWord(email)}`
      : undefined,
  async run(ctx, { flags: { data, databaseUrl, email, name, slug, newKey } }): Promise<Bootstrapped> {
    const { bootstrap, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    const isNew = await requireDatabase(ctx, config, { data, mayCreate: true });
    const made = await ctx.perform(`create a key for ${email} in ${databaseOf(config)}`, () =>
      bootstrap(config, { email, name, slug, newKey }),
    );
    if (!ctx.machine) {
      ctx.noteBelow(`It is for ${databaseOf(config)}${isNew ? ', which is new' : ''}.`);
      ctx.noteBelow(nextStep(config));
    }
    return made;
  },
});

/** The place to use the new key: the server that runs on this database, or one that has to be started. */
function nextStep({ data, databaseUrl }: ServerConfig): string {
  const running = databaseUrl === undefined ? announcedServer(data) : null;
  if (running) return `Log in with it: ${loginCommand(clientUrl(running))}`;
  const where = databaseUrl === undefined ? ` --data ${shellWord(resolve(data))}` : '';
  return `Start the server: hubline server start${where}. Then log in: hubline auth login`;
}

export const setupLink = define({
  path: 'server setup-link',
  summary: 'Print a new setup link, for creating the first owner. Earlier links stop working.',
  flags: {
    ...STORAGE_FLAGS,
    host: { type: 'text', value: 'address', summary: 'Address of the server, as given to server start' },
    port: { type: 'text', value: 'port', summary: 'Port of the server, as given to server start' },
    'public-url': { type: 'text', value: 'url', summary: 'URL where others reach the server' },
  },
  examples: [
    'hubline server setup-link',
    'hubline server setup-link --data ./data --public-url https://hub.example.com',
  ],
  view: view<{ url: string }>()({ noun: ['link', 'links'], fields: ['url'], columns: ['url'], id: 'url' }),
  say: ({ url }) => url,
  async run(ctx, { flags: { data, databaseUrl, host, port, publicUrl } }) {
    const { newSetupLink, parseServerConfig } = await import('@hubline/server');
    const parse = (url = publicUrl) =>
      parseServerConfig({ data, databaseUrl, host, port, publicUrl: url }, { ...ctx.env });
    const named = parse();
    // A running server knows its own URL best.
    const running =
      named.databaseUrl === undefined && !host && !port && !publicUrl && announcedServer(named.data);
    const config = running ? parse(running.public_url) : named;
    await requireDatabase(ctx, config, { data, mayCreate: false });
    const url = await ctx.perform(`make a new setup link in ${databaseOf(config)}`, () =>
      newSetupLink(config),
    );
    if (url === null) {
      throw new CommandError(
        'conflict',
        'There is already an owner.',
        'For another key of a user: hubline server bootstrap --new-key --email <email>',
      );
    }
    return { url };
  },
});

export const setPassword = define({
  path: 'server set-password',
  summary: 'Give a user a password for the dashboard, directly in the database.',
  description:
    'For owners created by server bootstrap, and for users who have forgotten theirs. Works while the server is stopped or running. ' +
    'All sessions of the user end. If the account began with an invitation link, the first password set here also revokes its API keys: ' +
    'the sender could have used the link, too.',
  args: { email: { summary: 'Email address of the user' } },
  flags: {
    ...STORAGE_FLAGS,
    'password-file': {
      type: 'text',
      value: 'file|-',
      summary: 'The password, from a file or stdin; asked for on a terminal',
    },
    'keep-keys': {
      type: 'boolean',
      summary: 'Keep the API keys, because this person created all of them',
    },
  },
  examples: [
    'hubline server set-password ana@acme.test',
    'hubline server set-password ana@acme.test --password-file - < password.txt',
  ],
  view: view<{ user_id: string; email: string; keys_revoked: number }>()({
    noun: ['user', 'users'],
    fields: ['user_id', 'email', 'keys_revoked'],
    columns: ['user_id', 'email', 'keys_revoked'],
    id: 'user_id',
  }),
  say: ({ email, keys_revoked: revoked }, style) =>
    `${style.green('✓')} ${email} can log in to the dashboard with the new password` +
    (revoked === 0 ? '' : `; ${revoked} API ${revoked === 1 ? 'key was' : 'keys were'} revoked`),
  async run(ctx, { args: { email }, flags: { data, databaseUrl, passwordFile, keepKeys } }) {
    const { parseServerConfig, setUserPassword } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    const password =
      passwordFile === undefined
        ? await askTwice(ctx)
        : await readSecret(ctx, passwordFile, '--password-file');
    return ctx.perform(`set the password of ${email} in ${databaseOf(config)}`, () =>
      setUserPassword(config, { email, password, keepKeys }),
    );
  },
});

/** Asks for a password twice, because it is not shown while it is typed. */
async function askTwice(ctx: Context): Promise<string> {
  const prompt = await ctx.prompt('--password-file');
  const password = await prompt.secret('New password');
  if ((await prompt.secret('Again')) !== password)
    throw usageError('The two passwords differ. Nothing was changed.', 'Run it again.');
  return password;
}
