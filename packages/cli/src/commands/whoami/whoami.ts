import type { Me } from '@hubline/contract/types';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const meView = view<Me>()({
  noun: ['user', 'users'],
  fields: ['user', 'key', 'memberships'],
  columns: ['user.id', 'user.email', 'key.prefix'],
  id: 'user.id',
});

const whoami = define({
  path: 'whoami',
  summary: 'Show who is calling: user, key and workspaces.',
  endpoints: ['me.get'],
  examples: ['hubline whoami', 'hubline whoami --json=user'],
  view: meView,
  say: ({ user, key, memberships }, style) =>
    [
      `${style.bold(user.email)} (${user.id})`,
      `  key ${key.prefix}… "${key.name}", ${key.role ? `at most ${key.role}, ` : ''}${key.scopes.join(', ')}`,
      ...memberships.map(({ slug, role, workspace_id }) => `  ${role} of ${slug} (${workspace_id})`),
    ].join('\n'),
  async run(ctx) {
    const client = await ctx.client();
    return client.me.get(ctx.request);
  },
});

export const commands = [whoami] as const;
