import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { FoundRows, PageRequest } from '../core/queries/paging.ts';
import { lastLookedAt } from '../core/queries/seq-range.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { dialectOf } from '../dialect-of.ts';

export type MessageRow = Selectable<Database['notification_messages']>;
export type NewMessage = Insertable<Database['notification_messages']>;

/** Adds a message; `false` if its rule has sent it to this destination already. */
export async function insertMessage(tx: Tx, row: NewMessage): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('notification_messages')
    .values(row)
    .onConflict((conflict) => conflict.columns(['rule', 'occurrence', 'destination']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findMessage(db: Db, workspaceId: string, id: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom('notification_messages')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function updateMessage(
  tx: Tx,
  { id }: Pick<MessageRow, 'id'>,
  changes: Updateable<Database['notification_messages']>,
): Promise<void> {
  await tx.updateTable('notification_messages').set(changes).where('id', '=', id).execute();
}

interface Filter {
  /** The ID of a rule, not another name. */
  rule?: string | undefined;
  status?: MessageRow['status'] | undefined;
}

/** Messages, newest first. */
export async function listMessages(
  db: Db,
  { workspaceId, filter, page }: { workspaceId: string; filter: Filter; page: PageRequest },
): Promise<FoundRows<MessageRow>> {
  const all = db.selectFrom('notification_messages');
  // Each has an index.
  let list =
    filter.rule === undefined
      ? all.where('workspace_id', '=', workspaceId)
      : all.where('rule', '=', filter.rule);
  if (page.after !== null) list = list.where('seq', '<', Number(page.after));
  const resume = filter.status === undefined ? null : await lastLookedAt(list);
  let query = list.selectAll().where('workspace_id', '=', workspaceId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (resume !== null) query = query.where('seq', '>=', resume);
  const rows = await query.orderBy('seq', 'desc').limit(page.limit).execute();
  return { rows, resume: rows.length < page.limit ? resume : null };
}

const IN_DIGEST = 'in the digest ';

/** The reason of a message that was not sent by itself, but in a digest. */
export const inDigest = (id: string): string => `${IN_DIGEST}${id}`;

/** Reports whether a rule has sent a message with the same key since a time, by itself or in a digest. */
export async function hasSentSince(
  db: Db,
  { rule, key, since, occurrence }: { rule: string; key: string; since: number; occurrence: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('notification_messages')
    .select('seq')
    .where('rule', '=', rule)
    .where('dedupe_key', '=', key)
    .where('created_at', '>', since)
    .where((eb) => eb.or([eb('status', '!=', 'suppressed'), eb('reason', 'like', `${IN_DIGEST}%`)]))
    // The message of this occurrence does not count: it may be sent again after a crash.
    .where('occurrence', '!=', occurrence)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

// A constant, not a parameter: SQLite would not use the index, and read all messages of the rule.
const isCollecting = sql<boolean>`status = 'collecting'`;

/** Names the messages that are collected for one digest. */
export interface DigestName {
  rule: string;
  digestKey: string;
}

/** The end of the digest that is being collected; `null` for none. */
export async function openDigest(
  db: Db,
  { rule, digestKey }: DigestName,
  now: number,
): Promise<number | null> {
  const found = await db
    .selectFrom('notification_messages')
    .select('next_attempt_at')
    .where('rule', '=', rule)
    .where('digest_key', '=', digestKey)
    .where(isCollecting)
    .where('next_attempt_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return found?.next_attempt_at ?? null;
}

const collectedFor = (db: Db, { rule, digestKey }: DigestName, until: number) =>
  db
    .selectFrom('notification_messages')
    .where('rule', '=', rule)
    .where('digest_key', '=', digestKey)
    .where(isCollecting)
    .where('next_attempt_at', '<=', until);

/** A destination with messages that were collected until a time; `undefined` when there are none. */
export async function nextCollected(
  db: Db,
  digest: DigestName,
  until: number,
): Promise<Pick<MessageRow, 'destination'> | undefined> {
  return collectedFor(db, digest, until).select('destination').limit(1).executeTakeFirst();
}

/** Counts the messages that were collected for a destination. */
export async function countCollected(
  db: Db,
  digest: DigestName & { destination: string },
  until: number,
): Promise<number> {
  const { total } = await collectedFor(db, digest, until)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('destination', '=', digest.destination)
    .executeTakeFirstOrThrow();
  return total;
}

/** The ID of the message of a rule about an occurrence to a destination; `undefined` for none. */
export async function findMessageId(
  db: Db,
  { rule, occurrence, destination }: Pick<MessageRow, 'rule' | 'occurrence' | 'destination'>,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('notification_messages')
    .select('id')
    .where('rule', '=', rule)
    .where('occurrence', '=', occurrence)
    .where('destination', '=', destination)
    .executeTakeFirst();
  return found?.id;
}

/** The first messages that were collected for a destination. */
export async function listCollected(
  db: Db,
  digest: DigestName & { destination: string; limit: number },
  until: number,
): Promise<MessageRow[]> {
  return (
    collectedFor(db, digest, until)
      .selectAll()
      .where('destination', '=', digest.destination)
      // In the order in which they happened: rules evaluate several events at the same time.
      .orderBy('occurrence')
      .limit(digest.limit)
      .execute()
  );
}

// A few milliseconds on SQLite.
const ENDED_AT_ONCE = 500;

/** Ends some of the messages that went into a digest. */
export async function endSomeCollected(
  tx: Tx,
  digest: DigestName & { destination: string; reason: string; now: number },
  until: number,
): Promise<void> {
  const rows = await collectedFor(tx, digest, until)
    .select('seq')
    .where('destination', '=', digest.destination)
    .limit(ENDED_AT_ONCE)
    .execute();
  const seqs = rows.map(({ seq }) => seq);
  await tx
    .updateTable('notification_messages')
    .set({ status: 'suppressed', reason: digest.reason, completed_at: digest.now, next_attempt_at: null })
    .where(dialectOf(tx).isOneOf('seq', seqs))
    .execute();
}
