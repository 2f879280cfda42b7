import { type EndpointInput, LIMITS } from '@hubline/contract';
import { type Options, stringify } from 'csv-stringify/sync';
import type { Context, WorkspaceContext } from '../context.ts';
import { type AuditFilter, type AuditRow, insertAudit, listAudit } from '../db/audit-log.ts';
import type { FoundRows, PageRequest } from '../db/core/queries/paging.ts';
import type { Db, Tx } from '../db/core/schema.ts';
import { dialectOf } from '../db/dialect-of.ts';
import type { Actor } from '../domain/identity/actor.ts';
import { requireKnown } from './known-ids.ts';
import { page } from './page.ts';

/** An entry to write: the action and its target. */
export interface AuditRecord {
  workspaceId: string;
  /** `<noun>.<verb in the past>`, such as `member.invited`. */
  action: string;
  target: { type: string; id: string; name?: string | null };
  /** Field by field; secrets as `[redacted]`. */
  changes?: { field: string; from: unknown; to: unknown }[];
  metadata?: Record<string, unknown>;
}

/** The actor and the request. A part of the server that acts by itself has neither. */
type Origin = Pick<Context, 'ids' | 'now'> &
  Partial<Pick<Context, 'ip' | 'userAgent' | 'requestId'>> & { actor?: Actor };

/** Writes an entry in the transaction of the change that it records. */
export async function audit(tx: Tx, context: Origin, record: AuditRecord): Promise<void> {
  const { actor } = context;
  await insertAudit(tx, {
    id: context.ids('audit'),
    workspace_id: record.workspaceId,
    action: record.action,
    actor_id: actor?.userId ?? null,
    actor: JSON.stringify(
      actor
        ? {
            type: actor.credential.kind === 'api_key' ? 'api_key' : 'user',
            id: actor.userId,
            name: actor.email,
          }
        : { type: 'system', id: null, name: 'hubline' },
    ),
    target_id: record.target.id,
    targets: JSON.stringify([{ ...record.target, name: record.target.name ?? null }]),
    changes: JSON.stringify(record.changes ?? []),
    context: JSON.stringify({
      ip: context.ip ?? null,
      user_agent: context.userAgent ?? null,
      request_id: context.requestId ?? null,
      api_key_id: actor?.credential.id ?? null,
    }),
    metadata: JSON.stringify(record.metadata ?? {}),
    created_at: context.now.toISOString(),
  });
}

/** The fields of `after` that differ from those of `before`, for `AuditRecord.changes`. */
export function differences<State extends object>(before: State, after: State) {
  return (Object.keys(after) as (keyof State & string)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

function toEntry(row: AuditRow) {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    action: row.action,
    actor: JSON.parse(row.actor),
    targets: JSON.parse(row.targets),
    changes: JSON.parse(row.changes),
    context: JSON.parse(row.context),
    metadata: JSON.parse(row.metadata),
    created_at: row.created_at,
  };
}

type ListInput = EndpointInput<'auditLog.list'>;

function filterOf(context: WorkspaceContext, { query }: ListInput): AuditFilter {
  const { action, actor, target, since, until } = query;
  return { workspaceId: context.access.workspaceId, action, actor, target, since, until };
}

export async function listAuditLog(context: WorkspaceContext, input: ListInput) {
  const { read } = context.store;
  const filter = filterOf(context, input);
  return page(context, input.query, {
    async rows(request) {
      const found = await readEntries(read, filter, request);
      if (found.rows.length === 0) await requireKnown(read, [filter.workspaceId], input.query);
      return found;
    },
    position: (row) => row.seq,
    item: toEntry,
    rowBytes: 64 * 1024,
  });
}

/** Entries of a page, or as many as its bytes allow. */
async function readEntries(
  db: Db,
  filter: AuditFilter,
  { after, limit }: PageRequest,
): Promise<FoundRows<AuditRow>> {
  const rows: AuditRow[] = [];
  let characters = 0;
  for await (const found of batchesOf(db, filter, after)) {
    rows.push(...found.rows);
    if (rows.length >= limit) break;
    characters += found.rows.reduce((sum, { changes }) => sum + changes.length, 0);
    const isFull = characters > LIMITS.pageBytes;
    if (isFull || found.resume !== null) return { rows, resume: found.resume ?? rows.at(-1)?.seq ?? null };
  }
  return { rows: rows.slice(0, limit), resume: null };
}

// An entry may have 200,000 characters: the filters of a webhook before and after a change. 250 of those took 300 MB, and stopped
// everybody else for 0.7 s.
const BATCH = 20;

/** Entries from a position on, newest first, a few at a time. */
async function* batchesOf(
  db: Db,
  filter: AuditFilter,
  after: string | null,
): AsyncGenerator<FoundRows<AuditRow>> {
  for (let from = after; ;) {
    const found = await listAudit(db, filter, { after: from, limit: BATCH });
    yield found;
    const last = found.rows.length < BATCH ? found.resume : (found.rows.at(-1)?.seq ?? null);
    if (last === null) return;
    from = String(last);
    await dialectOf(db).yieldToEventLoop();
  }
}

const CSV: Options = {
  columns: [
    'id',
    'created_at',
    'action',
    'actor_type',
    'actor_id',
    'actor_name',
    'target_type',
    'target_id',
    'target_name',
    'changes',
    'ip',
    'user_agent',
    'request_id',
    'api_key_id',
    'metadata',
  ],
  escape_formulas: true,
  // Quotes every cell: a spreadsheet would take an unquoted line feed for the end of the row.
  quoted: true,
  record_delimiter: 'windows',
};

/** Every matching entry as CSV, a batch at a time. Cells that a spreadsheet would run as a formula are escaped. */
export async function exportAuditLog(
  context: WorkspaceContext,
  input: ListInput,
): Promise<AsyncIterable<string>> {
  // Before the first byte: a response that has begun cannot become `not_found`.
  await requireKnown(context.store.read, [context.access.workspaceId], input.query);
  return csvOf(context, input);
}

async function* csvOf(context: WorkspaceContext, input: ListInput): AsyncGenerator<string> {
  let header = true;
  for await (const { rows } of batchesOf(context.store.read, filterOf(context, input), null)) {
    yield stringify(rows.map(toRecord), { ...CSV, header });
    header = false;
  }
}

function toRecord(row: AuditRow): Record<string, string | null> {
  const entry = toEntry(row);
  const [target] = entry.targets;
  return {
    id: entry.id,
    created_at: entry.created_at,
    action: entry.action,
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    changes: row.changes,
    ip: entry.context.ip,
    user_agent: entry.context.user_agent,
    request_id: entry.context.request_id,
    api_key_id: entry.context.api_key_id,
    metadata: row.metadata,
  };
}
