import { type Selectable, sql } from 'kysely';
import type { Database } from '../../core/schema.ts';

type Attempt = Selectable<Database['attempts']>;
type Delivery = Selectable<Database['deliveries']>;

/**
 * The columns of an attempt, and those of its delivery that hold the last one. Every statement that moves or reads an
 * attempt is made from this table, on both databases: a column cannot be forgotten in one of them.
 */
const LAST_ATTEMPT = {
  attempt: 'attempt_count',
  id: 'last_id',
  trigger: 'last_trigger',
  started_at: 'last_at',
  duration_ms: 'last_duration_ms',
  response_status: 'last_status',
  error_kind: 'last_error_kind',
  error_message: 'last_error_message',
  response_headers: 'last_headers',
  response_body: 'last_body',
} as const satisfies Record<keyof Omit<Attempt, 'delivery'>, keyof Delivery>;

export const ATTEMPT_COLUMNS = Object.keys(LAST_ATTEMPT) as readonly (keyof typeof LAST_ATTEMPT)[];
export const LAST_COLUMNS = Object.values(LAST_ATTEMPT);

/** The last attempt, to be selected from `deliveries` under the names of `attempts`. */
export const lastAttempt = ATTEMPT_COLUMNS.map((name) => sql.ref(LAST_ATTEMPT[name]).as(name));
