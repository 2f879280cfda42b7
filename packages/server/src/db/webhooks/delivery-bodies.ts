import { sql } from 'kysely';
import { type EnvelopeParts, eventBody, wholeBody } from '../../domain/events/envelope.ts';
import { idText, idTextOrNull } from '../core/columns/columns.ts';
import { isoTime } from '../../domain/time.ts';
import type { DeliveryRow } from './deliveries.ts';
import { readPayload } from '../events/events.ts';
import { summaryOf } from '../events/summary-column.ts';
import { preparedRow } from '../core/queries/prepared-query.ts';
import { toBytes } from '../core/columns/large-text.ts';
import type { Db, Tx } from '../core/schema.ts';
import { dialectOf } from '../dialect-of.ts';
import type { StoredBody } from '../core/statements.ts';

// The body of an event's delivery is not stored: it follows from the event, which never changes (domain/events/envelope.ts).

type Delivery = Pick<DeliveryRow, 'seq' | 'id' | 'workspace_id'>;

async function find(db: Db, { seq }: Pick<Delivery, 'seq'>): Promise<StoredBody> {
  const stored = await dialectOf(db).findBody(db, seq);
  if (!stored || (stored.body_bytes === null && stored.event_id === null))
    throw new Error('A delivery has no body.');
  return stored;
}

/** The parts of the body of an event's delivery before and after the payload. */
function aroundPayload({ id, workspace_id }: Delivery, stored: StoredBody): EnvelopeParts {
  const integrationId = idTextOrNull('integration', stored.integration_id);
  return eventBody({
    workspaceId: workspace_id,
    id: idTextOrNull('event', stored.event_id) ?? '',
    type: stored.type,
    source: stored.source,
    summary: summaryOf(stored.summary),
    occurredAt: isoTime(stored.occurred_at ?? stored.created_at),
    integrationId,
    provider: stored.provider,
  })(id);
}

/** The frozen bytes of a delivery. */
export interface FrozenBody {
  /** `null` where they are too many to be read with the row: see `readDeliveryBody`. */
  text: string | null;
  /** The number of bytes, without the few around a payload. */
  bytes: number;
}

/** The frozen bytes of a delivery, unless they are too many to be read with the row. */
export async function findDeliveryBody(db: Db, delivery: Delivery): Promise<FrozenBody> {
  const stored = await find(db, delivery);
  if (stored.body_bytes !== null) return { text: stored.body, bytes: stored.body_bytes };
  const { payload, payload_bytes: bytes } = stored;
  const text = payload === null ? null : wholeBody(aroundPayload(delivery, stored), payload);
  return { text, bytes };
}

const ownBodyOf = preparedRow<{ seq: number }, { body: Buffer | string | null }>((db, p) =>
  db.selectFrom('deliveries').select(dialectOf(db).bytesIn('body').as('body')).where('seq', '=', p('seq')),
);

/** The frozen bytes of a delivery, however many they are. */
export async function readDeliveryBody(db: Db, delivery: Delivery): Promise<Buffer> {
  const stored = await find(db, delivery);
  if (stored.body_bytes === null) {
    const { before, after } = aroundPayload(delivery, stored);
    const payload = await readPayload(db, { id: idTextOrNull('event', stored.event_id) ?? '' });
    if (payload === null) throw new Error('The payload of a delivery is missing.');
    return Buffer.concat([Buffer.from(before), payload, Buffer.from(after)]);
  }
  const { body = null } = (await ownBodyOf(db, delivery)) ?? {};
  if (body === null) throw new Error('A delivery has no body.');
  return toBytes(body);
}

// The bytes that one step copies, unless a single body has more.
const KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Stores up to `limit` bodies of events' deliveries, before the events are removed; returns `false` if there are more. The database
 * puts them together: a payload can be 25 MB.
 */
export async function keepBodies(tx: Tx, events: readonly number[], limit: number): Promise<boolean> {
  const deliveries = await tx
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
    .innerJoin('workspaces', 'workspaces.seq', 'deliveries.workspace')
    .select(['deliveries.seq', 'deliveries.id', 'workspaces.id as workspace_id', 'events.seq as event'])
    .where(dialectOf(tx).isOneOf('events.seq', events))
    .where('deliveries.body', 'is', null)
    .limit(limit)
    .execute();
  let bytes = 0;
  for (const { event, seq, id, workspace_id } of deliveries) {
    const delivery = { seq, id: idText('delivery', id), workspace_id };
    const stored = await find(tx, delivery);
    if (bytes > 0 && bytes + stored.payload_bytes > KEPT_BYTES) return false;
    bytes += stored.payload_bytes;
    const { before, after } = aroundPayload(delivery, stored);
    await sql`
      update deliveries
      set body = cast(${before} as text) || (select payload from events where seq = ${event}) || cast(${after} as text)
      where seq = ${seq}`.execute(tx);
  }
  return deliveries.length < limit;
}
