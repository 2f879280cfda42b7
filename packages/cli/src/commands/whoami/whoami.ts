import { define } from '../../spec/command.ts';
import { meView } from '../../views/me.ts';

export const command = define({
  path: 'whoami',
  summary: 'Show who is calling: user, key and workspaces.',
  endpoints: ['me.get'],
  examples: ['hubline whoami', 'hubline whoami --json=user'],
  view: meView,
  async run(ctx) {
    const client = await ctx.client();
    return client.me.get(ctx.request);
  },
});
