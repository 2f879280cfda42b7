import { type AttemptErrorKind, type DeliveryCause, LIMITS } from '@hubline/contract';
import type { Selectable } from 'kysely';
import { DELIVERY_CAUSE, ERROR_KIND } from '../core/columns/codes.ts';
import { idText } from '../core/columns/columns.ts';
import { isoTime } from '../../domain/time.ts';
import type { DeliveryRow } from './deliveries.ts';
import { lastAttempt } from './queue/last-attempt.ts';
import type { Database, Db } from '../core/schema.ts';

/** One attempt of a delivery. */
export interface AttemptRow {
  id: string;
  attempt: number;
  trigger: DeliveryCause;
  started_at: string;
  duration_ms: number;
  response_status: number | null;
  response_headers: string | null;
  response_body: string | null;
  error_kind: AttemptErrorKind | null;
  error_message: string | null;
}

type Stored = Omit<Selectable<Database['attempts']>, 'delivery'>;

const toAttemptRow = (row: Stored): AttemptRow => ({
  id: idText('attempt', row.id),
  attempt: row.attempt,
  trigger: DELIVERY_CAUSE.name(row.trigger),
  started_at: isoTime(row.started_at),
  duration_ms: row.duration_ms,
  response_status: row.response_status,
  response_headers: row.response_headers,
  response_body: row.response_body,
  error_kind: row.error_kind === null ? null : ERROR_KIND.name(row.error_kind),
  error_message: row.error_message,
});

/** The last attempts of a delivery, oldest first. The very last is in the delivery's own row. */
export async function listAttempts(db: Db, delivery: Pick<DeliveryRow, 'seq'>): Promise<AttemptRow[]> {
  const earlier = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery', '=', delivery.seq)
    .orderBy('attempt', 'desc')
    .limit(LIMITS.attemptsShown - 1)
    .execute();
  const last = await db
    .selectFrom('deliveries')
    .select(lastAttempt)
    .$castTo<Stored>()
    .where('seq', '=', delivery.seq)
    .where('last_id', 'is not', null)
    .execute();
  return [...earlier.toReversed(), ...last].map(toAttemptRow);
}
