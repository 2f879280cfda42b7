import type { AuditEntry } from '@hubline/contract/types';
import { followList } from '../../client/follow-list.ts';
import { define } from '../../spec/command.ts';
import { auditView } from '../../views/audit.ts';
import { auditFilters, FILTER_FLAGS } from './flags.ts';

const { until: _until, ...TAIL_FLAGS } = FILTER_FLAGS;

export const command = define({
  path: 'audit tail',
  summary:
    'Follow the audit log until Ctrl-C. It is asked for every 2 to 10 seconds, also after a restart of the server.',
  endpoints: ['auditLog.list'],
  live: true,
  flags: {
    ...TAIL_FLAGS,
    limit: { type: 'integer', short: 'L', value: 'n', summary: 'Stop after this many' },
  },
  examples: ['hubline audit tail', 'hubline audit tail --since 1h --json=action,actor'],
  view: auditView,
  async *run(ctx, { flags }) {
    const { limit = Infinity } = flags;
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const { since, ...filters } = auditFilters({ ...flags, until: undefined });
    const following = followList<AuditEntry>(ctx, {
      since,
      list: (query, options) => client.auditLog.list(workspace, { ...filters, ...query }, options),
      // An entry never changes.
      stateOf: () => '',
      isOpen: () => false,
    });
    let count = 0;
    if (limit === 0) return;
    for await (const entry of following) {
      yield entry;
      if ((count += 1) === limit) return;
    }
  },
});
