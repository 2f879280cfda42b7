import { createClient } from '../../client/create-client.ts';
import { assertOneStdin } from '../../input/read-input.ts';
import { readSecret } from '../../input/read-secret.ts';
import { define } from '../../spec/command.ts';
import { joinedMemberView } from '../../views/member.ts';

export const command = define({
  path: 'invitation accept',
  summary: 'Join a workspace with the token of an invitation link. Needs no key.',
  endpoints: ['invitations.accept'],
  flags: {
    'token-file': {
      type: 'text',
      value: 'file|-',
      summary: 'The token, from a file or stdin; asked for on a terminal',
    },
    'password-file': {
      type: 'text',
      value: 'file|-',
      summary: 'Password for the dashboard, for users who have none',
    },
  },
  examples: [
    'hubline invitation accept --token-file -',
    'hubline invitation accept --token-file token.txt --password-file pw.txt',
  ],
  view: joinedMemberView,
  say: ({ email, role, workspace_id }, style) =>
    `${style.green('✓')} ${email} joined ${workspace_id} as ${role}`,
  async run(ctx, { flags: { tokenFile, passwordFile } }) {
    assertOneStdin({ '--token-file': tokenFile, '--password-file': passwordFile });
    const token =
      tokenFile === undefined
        ? await (await ctx.prompt('--token-file')).secret('Token of the invitation')
        : await readSecret(ctx, tokenFile, '--token-file');
    const password =
      passwordFile === undefined ? undefined : await readSecret(ctx, passwordFile, '--password-file');
    const { baseUrl } = await ctx.settings();
    const client = await createClient(ctx, { baseURL: baseUrl.value, apiKey: null });
    return client.invitations.accept({ token, password }, ctx.request);
  },
});
