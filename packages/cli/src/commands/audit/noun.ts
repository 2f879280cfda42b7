import type { AuditEntry } from '@hubline/contract/types';
import { followList } from '../../client/follow-list.ts';
import { paged } from '../../client/lists.ts';
import { exportFormat } from '../../output/formats/format.ts';
import { RawText } from '../../output/items.ts';
import { define } from '../../spec/command.ts';
import type { FlagTable, FlagValues } from '../../spec/flag.ts';
import { EXPORT_FLAGS, LIST_FLAGS } from '../../spec/global-flags.ts';
import { auditView } from '../../views/audit.ts';

/** Flags that narrow the audit log. */
const FILTER_FLAGS = {
  action: { type: 'text', value: 'action', summary: 'Only this action, such as member.invited' },
  actor: { type: 'text', value: 'id', summary: 'Only actions of this user' },
  target: { type: 'text', value: 'id', summary: 'Only actions on this target' },
  since: { type: 'time', value: 'time', summary: 'Only after this time, or within this duration: 7d' },
  until: { type: 'time', value: 'time', summary: 'Only before this time' },
} as const satisfies FlagTable;

/** The filters of a request. */
const auditFilters = ({ action, actor, target, since, until }: FlagValues<typeof FILTER_FLAGS>) => ({
  action,
  actor,
  target,
  since,
  until,
});

const list = define({
  path: 'audit list',
  summary: 'List the changes in the workspace with their actors, newest first.',
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

const exportLog = define({
  path: 'audit export',
  summary: 'Export the audit log as CSV, JSON or one JSON document per line.',
  endpoints: ['auditLog.list'],
  export: 'csv',
  flags: { ...FILTER_FLAGS, ...EXPORT_FLAGS },
  examples: [
    'hubline audit export --since 2026-01-01 --format csv --out audit.csv',
    'hubline audit export --format ndjson | zstd > audit.ndjson.zst',
  ],
  view: auditView,
  async *run(ctx, { flags }): AsyncGenerator<AuditEntry | RawText> {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const filters = auditFilters(flags);
    if (exportFormat(ctx.globals, flags, 'csv') === 'csv') {
      // The server's own CSV: one definition of its columns.
      for await (const text of client.auditLog.exportCsv(workspace, filters, { signal: ctx.signal })) {
        yield new RawText(text);
      }
      return;
    }
    yield* paged(ctx, { limit: 0, all: true }, (query) =>
      client.auditLog.list(workspace, { ...filters, ...query }, { signal: ctx.signal }),
    );
  },
});

const { until: _until, ...TAIL_FLAGS } = FILTER_FLAGS;

const tail = define({
  path: 'audit tail',
  summary:
    'Follow the audit log until Ctrl-C. It is polled every 2 to 10 seconds, even across server restarts.',
  endpoints: ['auditLog.list'],
  live: true,
  flags: {
    ...TAIL_FLAGS,
    limit: { type: 'integer', short: 'L', value: 'n', min: 1, summary: 'Stop after this many' },
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
    for await (const entry of following) {
      yield entry;
      if ((count += 1) === limit) return;
    }
  },
});

export const commands = [list, exportLog, tail] as const;
