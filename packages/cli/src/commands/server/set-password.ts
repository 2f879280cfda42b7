import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { readSecret } from '../../input/read-secret.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './require-database.ts';

export const command = define({
  path: 'server set-password',
  summary: 'Give a user a password for the dashboard, directly in the database.',
  description:
    'For owners made by server bootstrap, and whoever has forgotten theirs. Works while the server is stopped or running. ' +
    'All sessions of the user end. The first time, the API keys of an account that began with an invitation link are revoked as ' +
    'well: whoever sent that link could have used it, too.',
  args: { email: { summary: 'E-mail address of the user' } },
  flags: {
    ...STORAGE_FLAGS,
    'password-file': {
      type: 'text',
      value: 'file|-',
      summary: 'The password, from a file or stdin; asked for on a terminal',
    },
    'keep-keys': {
      type: 'boolean',
      summary: 'Revoke no API keys: all of them were made by this very person',
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

/** A password that nobody sees being typed is typed twice. */
async function askTwice(ctx: Context): Promise<string> {
  const prompt = await ctx.prompt('--password-file');
  const password = await prompt.secret('New password');
  if ((await prompt.secret('Again')) !== password)
    throw usageError('The two passwords differ. Nothing was changed.', 'Run it again.');
  return password;
}
