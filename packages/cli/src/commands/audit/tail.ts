import type { AuditEntry } from '@hubline/contract/types';
import { paged } from '../../client/paged.ts';
import { pollPause } from '../../client/poll.ts';
import { define } from '../../spec/command.ts';
import { auditView } from '../../views/audit.ts';
import { auditFilters, FILTER_FLAGS } from './flags.ts';

const { until: _until, ...TAIL_FLAGS } = FILTER_FLAGS;

export const command = define({
  path: 'audit tail',
  summary: 'Follow the audit log until Ctrl-C. It is asked for every 2 to 10 seconds.',
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
    const pause = pollPause(ctx.signal);
    let from = since ?? new Date(ctx.now()).toISOString();
    let seen = new Set<string>();
    for (let count = 0; count < limit;) {
      const found: AuditEntry[] = [];
      for await (const entry of paged(ctx, { limit: 0, all: true }, (query) =>
        client.auditLog.list(workspace, { ...filters, since: from, ...query }, ctx.request),
      )) {
        found.unshift(entry);
      }
      const news = found.filter(({ id }) => !seen.has(id));
      for (const entry of news) {
        yield entry;
        count += 1;
        if (count >= limit) return;
      }
      const last = found.at(-1);
      // `since` is exclusive, and several entries can have one timestamp: a millisecond back, without those that were printed.
      if (last) from = new Date(Date.parse(last.created_at) - 1).toISOString();
      seen = new Set(found.map(({ id }) => id));
      await pause(news.length > 0);
    }
  },
});
