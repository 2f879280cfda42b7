import type { Acknowledgment } from '../clients/publishers.ts';
import type { CountedSums, Stored } from './stored.ts';
import type { Call } from '../witness.process.ts';

/** The evidence after a run, from four sides. */
export interface Evidence {
  /** The log of the client. */
  acknowledged: readonly Acknowledgment[];
  /** The number of events that clients have tried to publish. */
  asked: number;
  /** The log of the witness. */
  calls: readonly Call[];
  /** The database, after everything was sent. */
  stored: Stored;
  /** The statistics, which retention leaves alone for longer than a run. */
  counted: CountedSums;
  /** The stored rows of events that retention may have removed since. */
  aged: Stored;
  /** The webhooks, by the path of their URL. Every event goes to each. */
  webhooks: ReadonlyMap<string, string>;
  /** The times of the kills, in milliseconds since the epoch. */
  kills: readonly number[];
  /** Converts a stored time to the clock of the kills. */
  realTime(stored: string): number;
  /** The number of deliveries whose lease ended during the attempt: those may be repeated without a kill. */
  takenOver: number;
}

/** The result of a run. */
export interface Verdict {
  events: number;
  deliveries: number;
  calls: number;
  /** Calls without a record, because the server died first. */
  repeated: number;
  /** Repeated requests whose event an earlier one had stored. */
  replayed: number;
  /** Violations. Must be empty. */
  violations: string[];
}

/**
 * The most attempts whose record one crash can lose: one for each of the engine's 256 permits, and as many that wait
 * for the commit of their record.
 */
const UNDER_WAY_MAX = 512;
const ATTEMPTS_MAX = 5;
// The witness may read from its socket for some time after the sender's death.
const LATE_MS = 1_000;
// The number of times that an attempt may be interrupted before it counts. docs/decisions/deliveries.md
const INTERRUPTIONS_MAX = 3;

/** Compares the views of the client, the receiver and the database. */
export function judge(evidence: Evidence): Verdict {
  const violations: string[] = [];
  const say = (what: string) => void violations.push(what);
  const { stored, aged } = evidence;
  // Rows that retention has removed are judged as they were before.
  const events = union(aged.events, stored.events, ({ id }) => id);
  const deliveries = union(aged.deliveries, stored.deliveries, ({ id }) => id);
  const removed = new Set(aged.deliveries.map(({ id }) => id));
  const attempts = [
    ...aged.attempts,
    ...stored.attempts.filter((attempt) => !removed.has(attempt.delivery_id)),
  ];

  judgeEvents(evidence, events, say);
  judgeStatistics(evidence.counted, { events: events.size, attempts: attempts.length }, say);
  judgeFanOut(evidence, { events, deliveries }, say);
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  const callsOf = Map.groupBy(evidence.calls, (call) => call.id);
  for (const id of callsOf.keys()) if (!deliveries.has(id)) say(`call ${id} belongs to no delivery`);

  let repeated = 0;
  for (const delivery of deliveries.values()) {
    const made = attemptsOf.get(delivery.id) ?? [];
    const seen = callsOf.get(delivery.id) ?? [];
    const { n } = JSON.parse(events.get(delivery.event_id)?.payload ?? '{}') as { n?: number };
    judgeState(delivery, made, say);
    judgeCalls({ delivery, made, seen }, evidence, say);
    for (const call of seen) {
      if (call.n !== n || evidence.webhooks.get(call.webhook) !== delivery.webhook_id)
        say(`delivery ${delivery.id} of event ${n} was sent as event ${call.n} to ${call.webhook}`);
      if (call.digest !== seen[0]?.digest) say(`delivery ${delivery.id} was sent with other bytes`);
      if (!call.signed) say(`delivery ${delivery.id} was sent without a valid signature`);
    }
    const recorded = made.filter((attempt) => attempt.response_status !== null).length;
    const extra = Math.max(0, seen.length - recorded);
    repeated += extra;
    const first = Math.min(...seen.map((call) => call.at)) - LATE_MS;
    const kills = evidence.kills.filter((at) => at >= first).length;
    if (extra > kills + evidence.takenOver)
      say(`delivery ${delivery.id} was repeated ${extra} times within ${kills} kills`);
  }
  const bound = evidence.kills.length * UNDER_WAY_MAX + evidence.takenOver;
  if (repeated > bound) say(`${repeated} calls were repeated; ${bound} is what the kills explain`);
  return {
    events: events.size,
    deliveries: deliveries.size,
    calls: evidence.calls.length,
    repeated,
    replayed: evidence.acknowledged.filter((one) => one.replayed).length,
    violations,
  };
}

type Say = (what: string) => void;
type StoredEvent = Stored['events'][number];
type StoredDelivery = Stored['deliveries'][number];
type StoredAttempt = Stored['attempts'][number];

/** Checks that no acknowledged event is lost, none is stored twice, and none was made up. */
function judgeEvents(evidence: Evidence, events: Map<string, StoredEvent>, say: Say): void {
  const numbers = new Map<number, string>();
  for (const { id, payload } of events.values()) {
    const { n, text } = JSON.parse(payload) as { n: number; text: string };
    if (numbers.has(n)) say(`event ${n} is stored twice`);
    if (n >= evidence.asked || text.length !== n % 1_000) say(`event ${n} is not one that was published`);
    numbers.set(n, id);
  }
  for (const { n, id } of evidence.acknowledged) {
    if (numbers.get(n) !== id) say(`acknowledged event ${n} is lost`);
  }
}

/** Checks that the statistics count everything that is stored, once. */
function judgeStatistics(counted: CountedSums, stored: CountedSums, say: Say): void {
  for (const what of ['events', 'attempts'] as const)
    if (counted[what] !== stored[what])
      say(`the statistics count ${counted[what]} ${what}, and ${stored[what]} are stored`);
}

/** Checks that every event has exactly one delivery for each webhook. */
function judgeFanOut(
  { webhooks }: Evidence,
  { events, deliveries }: { events: Map<string, StoredEvent>; deliveries: Map<string, StoredDelivery> },
  say: Say,
): void {
  const targets = Map.groupBy(deliveries.values(), (delivery) => delivery.event_id);
  const wanted = [...webhooks.values()].sort().join();
  for (const id of events.keys()) {
    const found = (targets.get(id) ?? []).map((delivery) => delivery.webhook_id).sort();
    if (found.join() !== wanted)
      say(`event ${id} has ${found.length} deliveries for ${webhooks.size} webhooks`);
  }
}

/** Checks that the status, the counts and the attempts of a delivery agree, and that it is finished. */
function judgeState(delivery: StoredDelivery, made: readonly StoredAttempt[], say: Say): void {
  const { id, status, attempt_count: count } = delivery;
  const open = delivery.due_at ?? delivery.next_attempt_at ?? delivery.lease_owner;
  if (open !== null || delivery.completed_at === null) say(`delivery ${id} is ${status} and still open`);
  const numbers = made.map((attempt) => attempt.attempt);
  if (numbers.join() !== Array.from({ length: count }, (_, index) => index + 1).join())
    say(`delivery ${id} counts ${count} attempts and has those numbered ${numbers.join() || 'none'}`);
  const succeeded = made.map((attempt) => attempt.response_status === 200);
  const fits =
    status === 'delivered'
      ? succeeded.lastIndexOf(true) === made.length - 1 && succeeded.indexOf(true) === made.length - 1
      : status === 'failed' && made.length === ATTEMPTS_MAX && !succeeded.includes(true);
  if (!fits || made.length === 0)
    say(`delivery ${id} is ${status} after ${succeeded.join() || 'no attempts'}`);
}

/** Checks that every record has a call, and that every call has a record or was interrupted. */
function judgeCalls(
  {
    delivery,
    made,
    seen,
  }: { delivery: StoredDelivery; made: readonly StoredAttempt[]; seen: readonly Call[] },
  { kills, realTime }: Evidence,
  say: Say,
): void {
  if (seen.length === 0) say(`delivery ${delivery.id} is ${delivery.status} and was never attempted`);
  for (const { attempt, response_status: status, error_kind: error } of made) {
    if (status === null) {
      const killed = kills.filter((at) => at >= realTime(delivery.created_at)).length;
      if (killed < INTERRUPTIONS_MAX)
        say(`delivery ${delivery.id}: attempt ${attempt} counts as failed (${error}) after ${killed} kills`);
    } else if (!seen.some((call) => call.attempt === attempt && call.status === status)) {
      say(`delivery ${delivery.id}: attempt ${attempt} is recorded with ${status}, and nobody received it`);
    }
  }
  // A success whose record was lost in three kills counts as failed.
  const cutOff = new Set(made.filter((one) => one.response_status === null).map(({ attempt }) => attempt));
  const succeeded = Math.min(
    ...seen
      .filter(({ status, attempt }) => status === 200 && !cutOff.has(attempt))
      .map(({ attempt }) => attempt),
  );
  for (const { attempt } of seen) {
    if (attempt > delivery.attempt_count)
      say(`delivery ${delivery.id}: attempt ${attempt} was received, and is not counted`);
    if (attempt > succeeded)
      say(`delivery ${delivery.id}: attempt ${attempt} was made after attempt ${succeeded} had succeeded`);
  }
}

function union<Item>(
  first: readonly Item[],
  second: readonly Item[],
  key: (item: Item) => string,
): Map<string, Item> {
  return new Map([...second, ...first].map((item) => [key(item), item]));
}
