import { type RawBuilder, sql, type UpdateObject } from 'kysely';
import { STATUS } from '../core/columns/codes.ts';
import { idBytes } from '../core/columns/columns.ts';
import { millis } from '../../domain/time.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Database, Tx } from '../core/schema.ts';
import { waitsIn } from './queue/waits-in.ts';
import type { WebhookRow } from './webhooks.ts';

const { pending, retrying } = STATUS.of;

/**
 * The most deliveries that one step changes. A webhook may have a million open ones: a statement for all of them kept SQLite's one
 * writer, and with it the event loop, for 6 seconds. A step takes a few milliseconds.
 */
const STEP_ROWS = 500;

/** A step of a change to the open deliveries of a webhook. Reports whether it was the last: `false` if there may be more. */
type Step = (tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string) => Promise<boolean>;

/**
 * Cancels open deliveries of a deleted webhook, and drops requests for manual attempts. An attempt under way loses its
 * lease, and with it its result.
 */
export const cancelDeliveries: Step = async (tx, webhook, now) => {
  const { seqs, isLast } = await lockSome(tx, webhook, [waitsIn.initial, waitsIn.retry, isHeld]);
  await endRetries(tx, seqs);
  const isOpen = sql<boolean>`${waitsIn.initial} or ${waitsIn.retry} or ${isHeld}`;
  await changeOpen(
    tx,
    { seqs, isOpen },
    {
      status: STATUS.of.cancelled,
      completed_at: millis(now),
      next_attempt_at: null,
      due_at: null,
      lease_owner: null,
      manual: 0,
    },
  );
  return isLast;
};

/**
 * Keeps open deliveries of a disabled webhook until it is enabled. One that is under way ends with its own result; an expired lease belongs
 * to nobody.
 */
export const holdDeliveries: Step = async (tx, webhook, now) => {
  const isIdle = sql<boolean>`(lease_owner is null or due_at <= ${millis(now)})`;
  const initial = sql<boolean>`${waitsIn.initial} and ${isIdle}`;
  const retry = sql<boolean>`${waitsIn.retry} and ${isIdle}`;
  const { seqs, isLast } = await lockSome(tx, webhook, [initial, retry]);
  await endRetries(tx, seqs, isIdle);
  const held = { status: STATUS.of.held, due_at: null, lease_owner: null };
  await changeOpen(tx, { seqs, isOpen: sql`due_at is not null and ${isIdle}` }, held);
  return isLast;
};

/** Makes held deliveries due now. A delivery that has used up its schedule, and was only requested by hand, gets no `next_attempt_at`. */
export const releaseHeldDeliveries: Step = async (tx, webhook, now) => {
  const { seqs, isLast } = await lockSome(tx, webhook, [isHeld]);
  await changeOpen(
    tx,
    { seqs, isOpen: isHeld },
    {
      status: sql<number>`case when scheduled_count = 0 then ${sql.lit(pending)} else ${sql.lit(retrying)} end`,
      due_at: millis(now),
      next_attempt_at: sql<
        number | null
      >`case when next_attempt_at is null then null else cast(${millis(now)} as bigint) end`,
    },
  );
  return isLast;
};

/** Finds deliveries of a webhook for one step, through the index of each condition, and locks them. */
async function lockSome(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id'>,
  conditions: readonly RawBuilder<boolean>[],
): Promise<{ seqs: readonly number[]; isLast: boolean }> {
  const seqs: number[] = [];
  for (const condition of conditions) {
    if (seqs.length === STEP_ROWS) break;
    const rows = await tx
      .selectFrom('deliveries')
      .select('seq')
      .where('webhook_id', '=', idBytes(webhook.id))
      .where(condition)
      .limit(STEP_ROWS - seqs.length)
      .execute();
    for (const { seq } of rows) seqs.push(seq);
  }
  if (seqs.length > 0) await dialectOf(tx).lockDeliveries(tx, dialectOf(tx).isOneOf('seq', seqs));
  return { seqs, isLast: seqs.length < STEP_ROWS };
}

/** Changes deliveries of a step that are open by now: one may have ended before it was locked. */
async function changeOpen(
  tx: Tx,
  { seqs, isOpen }: { seqs: readonly number[]; isOpen: RawBuilder<boolean> },
  changes: UpdateObject<Database, 'deliveries'>,
): Promise<void> {
  if (seqs.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set(changes)
    .where(dialectOf(tx).isOneOf('seq', seqs))
    .where(sql<boolean>`(${isOpen})`)
    .execute();
}

/** Drops further attempts of delivered deliveries that have not begun. The deliveries stay delivered. */
async function endRetries(tx: Tx, seqs: readonly number[], isIdle = sql<boolean>`true`): Promise<void> {
  const isOpen = sql<boolean>`status = ${sql.lit(STATUS.of.delivered)} and due_at is not null and ${isIdle}`;
  await changeOpen(tx, { seqs, isOpen }, { due_at: null, lease_owner: null, manual: 0 });
}

// A literal, as in `waitsIn`.
const isHeld = sql<boolean>`status = ${sql.lit(STATUS.of.held)}`;
