import { LIMITS } from '@hubline/contract/constants';
import { createClient } from '../../client/create-client.ts';
import { usageError } from '../../errors/errors.ts';
import { assertOneStdin, readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { shellArgument } from '../../terminal/shell-word.ts';
import { joinedMemberView } from '../../views/member.ts';

const accept = define({
  path: 'invitation accept',
  summary: 'Join a workspace with an invitation link.',
  description:
    'Without an account, you need no key, and --password-file sets your first password for the dashboard. With an account, ' +
    'log in first with a personal key that has members:write. With --take-over, the link in the email takes over an account ' +
    'with your address that somebody else made, or that you cannot log in to: it replaces the password, ' +
    'ends all sessions, and revokes all API keys of the account.',
  endpoints: ['invitations.accept'],
  flags: {
    'token-file': {
      type: 'text',
      value: 'file|-',
      summary: 'The link or its token, from a file or stdin; asked for on a terminal',
    },
    'password-file': {
      type: 'text',
      value: 'file|-',
      summary: `Your first password for the dashboard, ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters`,
    },
    'take-over': {
      type: 'boolean',
      summary: 'Replace the password of an account that you cannot log in to; needs --password-file',
    },
  },
  examples: [
    'hubline invitation accept --token-file -',
    'hubline invitation accept --token-file link.txt --password-file pw.txt',
  ],
  typed: { token: '--token-file', password: '--password-file' },
  view: joinedMemberView,
  say: ({ email, role, workspace_id }, style) =>
    `${style.green('✓')} ${email} joined ${workspace_id} as ${role}`,
  async run(ctx, { flags: { tokenFile, passwordFile, takeOver } }) {
    if (takeOver && passwordFile === undefined)
      throw usageError('--take-over needs a new password.', 'Add --password-file.');
    assertOneStdin({ '--token-file': tokenFile, '--password-file': passwordFile });
    const link =
      tokenFile === undefined
        ? await (await ctx.prompt('--token-file')).secret('Invitation link')
        : await readSecret(ctx, tokenFile, '--token-file');
    const token = URL.parse(link)?.searchParams.get('token') ?? link;
    const password =
      passwordFile === undefined ? undefined : await readSecret(ctx, passwordFile, '--password-file');
    const settings = await ctx.settings();
    // A new user has no key. A user with an account shows who they are with theirs.
    const client = settings.apiKey
      ? await ctx.client()
      : await createClient(ctx, { baseURL: settings.baseUrl.value, apiKey: null });
    const body = { token, password, ...(takeOver && { take_over: true }) };
    const joined = await client.invitations.accept(body, ctx.request);
    if (!settings.apiKey && password === undefined) {
      await ctx.note(
        `No password was set, so ${joined.email} cannot log in yet. The server's operator can set one: hubline server set-password ${shellArgument(joined.email)}`,
      );
    }
    return joined;
  },
});

export const commands = [accept] as const;
