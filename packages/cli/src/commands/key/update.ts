import { ROLES } from '@hubline/contract/constants';
import { assertSomeFlag } from '../../input/assert-some-flag.ts';
import { define } from '../../spec/command.ts';
import { keyView } from '../../views/key.ts';
import { SCOPES } from './flags.ts';

export const command = define({
  path: 'key update',
  summary: 'Change name, scopes or role of a key of the workspace.',
  endpoints: ['apiKeys.update'],
  args: { key: { summary: 'Id' } },
  flags: {
    name: { type: 'text', value: 'name', summary: 'New name' },
    scope: {
      type: 'text',
      value: 'scope',
      choices: SCOPES,
      repeatable: true,
      summary: 'New scopes: all of them; nothing needs automations and notifications yet',
    },
    role: {
      type: 'text',
      value: 'role',
      choices: [...ROLES, 'none'],
      summary: 'Acts with at most this role; none removes the cap',
    },
  },
  examples: ['hubline key update key_06f8xw2b3c4d5e6f7g8h9j0kmn --scope events:read --scope events:write'],
  view: keyView,
  say: ({ id, name }, style) => `${style.green('✓')} Updated key ${name} (${id})`,
  async run(ctx, { args, flags: { name, scope, role } }) {
    const scopes = scope.length > 0 ? scope : undefined;
    assertSomeFlag({ name, scope: scopes, role });
    const client = await ctx.client();
    const changes = { name, scopes, role: role === 'none' ? null : role };
    return client.apiKeys.update(await ctx.workspace(), args.key, changes, ctx.request);
  },
});
