import { loginStatus } from '../../config/login-status.ts';
import { define } from '../../spec/command.ts';
import { loginStatusView } from '../../views/connection.ts';

export const command = define({
  path: 'auth status',
  summary: 'Show which key and server are in use, and whether they work. Exit code 3 if not.',
  endpoints: ['me.get'],
  examples: ['hubline auth status', 'hubline auth status --json=email,key_source'],
  view: loginStatusView,
  async run(ctx) {
    const client = await ctx.client();
    const { context, baseUrl, apiKey, workspace } = await ctx.settings();
    return loginStatus(await client.me.get(ctx.request), {
      context: context?.value ?? null,
      base_url: baseUrl.value,
      key_source: apiKey?.source ?? 'none',
      workspace: workspace?.value,
    });
  },
});
