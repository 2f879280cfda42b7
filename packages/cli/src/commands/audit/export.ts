import type { AuditEntry } from '@hubline/contract/types';
import { paged } from '../../client/paged.ts';
import { exportFormat } from '../../output/format.ts';
import { RawText } from '../../output/raw-text.ts';
import { define } from '../../spec/command.ts';
import { EXPORT_FLAGS } from '../../spec/global-flags.ts';
import { auditView } from '../../views/audit.ts';
import { auditFilters, FILTER_FLAGS } from './flags.ts';

export const command = define({
  path: 'audit export',
  summary: 'Export the audit log as CSV, JSON or one JSON document per line.',
  endpoints: ['auditLog.list'],
  export: true,
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
    if (exportFormat(ctx.globals, flags) === 'csv') {
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
