import { ROLES } from '@hubline/contract/constants';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { createdKeyView } from '../../views/key.ts';
import { PERSONAL_FLAG, SCOPES } from './flags.ts';

export const command = define({
  path: 'key create',
  summary: 'Make an API key. It is printed this once.',
  endpoints: ['apiKeys.create', 'personalApiKeys.create'],
  flags: {
    name: { type: 'text', value: 'name', required: true, prompt: 'Name', summary: 'What it is for' },
    scope: {
      type: 'text',
      value: 'scope',
      choices: SCOPES,
      repeatable: true,
      summary:
        'What it may do (default: all that your own key may); nothing needs automations and notifications yet',
    },
    role: { type: 'text', value: 'role', choices: ROLES, summary: 'Acts with at most this role' },
    expires: {
      type: 'later',
      value: 'time',
      summary: 'When it stops working: a time, or a duration such as 90d',
    },
    ...PERSONAL_FLAG,
  },
  examples: [
    'hubline key create --name ci --scope events:write --expires 90d',
    'hubline key create --name laptop --personal --json=key',
  ],
  view: createdKeyView,
  say: ({ id, name }, style) => `${style.green('✓')} Created key ${name} (${id}). It is shown only now:`,
  next: () => 'Log in with it: hubline auth login. In a script, set HUBLINE_API_KEY.',
  async run(ctx, { flags: { name, scope, role, expires, personal } }) {
    if (personal && role)
      throw usageError(
        '--role is for keys of a workspace, not for personal ones.',
        'Leave out --role or --personal.',
      );
    const scopes = scope.length > 0 ? scope : undefined;
    const client = await ctx.client();
    if (personal) return client.personalApiKeys.create({ name, scopes, expires_at: expires }, ctx.request);
    return client.apiKeys.create(
      await ctx.workspace(),
      { name, scopes, role, expires_at: expires },
      ctx.request,
    );
  },
});
