import { type Awaitable, andThen } from '../../core/awaitable.ts';
import type { Tx } from '../../core/schema.ts';
import type { EventInsert } from '../../core/statements.ts';
import { insertsEvent } from '../../events/insert-alone.ts';
import { preparedUsually } from '../usual-values.ts';

// An event that was published through the API, not by an integration.
const USUAL = {
  integration_id: null,
  occurred_at: null,
  provider: null,
  dedupe_key: null,
} satisfies Partial<EventInsert>;

const insert = preparedUsually<EventInsert>(USUAL, insertsEvent);

export const insertEvent = (tx: Tx, row: EventInsert): Awaitable<boolean> =>
  andThen(insert(tx, row), ({ rows }) => rows > 0);
