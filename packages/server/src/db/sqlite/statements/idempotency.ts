import { type Awaitable, andThen } from '../../core/awaitable.ts';
import { preparedRow } from '../../core/queries/prepared-query.ts';
import type { Tx } from '../../core/schema.ts';
import type { OutcomeInsert, StoredOutcome } from '../../core/statements.ts';
import { preparedUsually } from '../usual-values.ts';

export const findOutcome = preparedRow<{ id: Buffer; oldest: number }, StoredOutcome>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .select(['id', 'fingerprint', 'status', 'event_id', 'body'])
    .where('id', '=', p('id'))
    .where('created_at', '>', p('oldest')),
);

// The response to a published event follows from the event.
const USUAL = { body: null } satisfies Partial<OutcomeInsert>;

const insert = preparedUsually<OutcomeInsert>(USUAL, (db, p) =>
  db
    .insertInto('idempotency_keys')
    .values({
      id: p('id'),
      fingerprint: p('fingerprint'),
      status: p('status'),
      created_at: p('created_at'),
      event_id: p('event_id'),
      body: p('body'),
    } satisfies Record<keyof OutcomeInsert, unknown>)
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

export const insertOutcome = (tx: Tx, row: OutcomeInsert): Awaitable<boolean> =>
  andThen(insert(tx, row), ({ rows }) => rows > 0);
