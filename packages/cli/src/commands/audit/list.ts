import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { auditView } from '../../views/audit.ts';
import { auditFilters, FILTER_FLAGS } from './flags.ts';

export const command = define({
  path: 'audit list',
  summary: 'List who changed what in the workspace, newest first.',
  aliases: ['ls'],
  endpoints: ['auditLog.list'],
  list: true,
  flags: { ...FILTER_FLAGS, ...LIST_FLAGS },
  examples: [
    'hubline audit list --since 7d',
    'hubline audit list --action member.invited --json=actor,created_at',
  ],
  view: auditView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const filters = auditFilters(flags);
    return paged(ctx, flags, (query) =>
      client.auditLog.list(workspace, { ...filters, ...query }, ctx.request),
    );
  },
});
