import { sql } from 'kysely';
import { type IdHex, idTextOfHex, idTextOfHexOrNull } from '../core/columns/columns.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import { isoTime } from '../../domain/time.ts';
import { dialectOf } from '../dialect-of.ts';
import { ifShort, lengthOf } from '../core/columns/large-text.ts';
import type { Db } from '../core/schema.ts';
import { summaryOf } from './summary-column.ts';

/** An event to insert. */
export interface NewEventRow {
  id: string;
  workspace_id: string;
  integration_id: string | null;
  type: string;
  source: string;
  /** The provider of its integration. */
  provider: string | null;
  /** The provider's JSON, byte for byte. */
  payload: JsonPiece;
  summary: string;
  dedupe_key: string | null;
  occurred_at: string;
  created_at: string;
}

/** An event as services read it. */
export interface EventRow extends Omit<NewEventRow, 'payload' | 'dedupe_key'> {
  seq: number;
  /** `null` where it is too large to be read with its row: `readPayload`. */
  payload: string | null;
  payload_bytes: number;
}

/** The parts of events to read: `bare` leaves out payloads, for lists that show none. */
export interface Parts {
  bare?: boolean | undefined;
}

/** The columns of an event, as the database returns them. Its workspace is not among them: the caller knows it. */
export interface EventColumns {
  seq: number;
  id: IdHex;
  integration_id: IdHex | null;
  occurred_at: number | null;
  created_at: number;
  type: string;
  source: string;
  provider: string | null;
  summary: string;
  payload: string | null;
  payload_bytes: number;
}

function selectBare(db: Db) {
  const { hexOf } = dialectOf(db);
  return db
    .selectFrom('events')
    .select([
      'seq',
      hexOf('id').as('id'),
      hexOf('integration_id').as('integration_id'),
      'occurred_at',
      'created_at',
      'type',
      'source',
      'provider',
      'summary',
    ]);
}

export const selectEvents = (db: Db, { bare = false }: Parts = {}) =>
  bare
    ? selectBare(db).select([sql<null>`null`.as('payload'), sql.lit(0).as('payload_bytes')])
    : selectBare(db).select([ifShort('payload').as('payload'), lengthOf('payload').as('payload_bytes')]);

export function toEventRow(row: EventColumns, workspaceId: string): EventRow {
  const createdAt = isoTime(row.created_at);
  return {
    seq: row.seq,
    id: idTextOfHex('event', row.id),
    workspace_id: workspaceId,
    integration_id: idTextOfHexOrNull('integration', row.integration_id),
    type: row.type,
    source: row.source,
    provider: row.provider,
    summary: summaryOf(row.summary),
    occurred_at: row.occurred_at === null ? createdAt : isoTime(row.occurred_at),
    created_at: createdAt,
    payload: row.payload,
    payload_bytes: row.payload_bytes,
  };
}
