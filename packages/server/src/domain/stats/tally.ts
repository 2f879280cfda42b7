import type { AttemptErrorKind } from '@hubline/contract';
import { LATENCY_STEPS, latencyStep } from './latency.ts';

const MINUTE_MS = 60_000;

/** Invented sources must not fill the tables: further names of one workspace or webhook in a minute are not told apart. */
export const NAMES_A_MINUTE = 30;

/** A count of the statistics. `latency_n` counts the attempts in step n of the histogram. */
export type StatsCount =
  | 'events'
  | 'attempts_succeeded'
  | 'attempts_failed'
  | 'deliveries_delivered'
  | 'deliveries_failed'
  | `latency_${number}`;

/** The counts of the histogram, in its order. */
export const LATENCY_COUNTS: readonly `latency_${number}`[] = LATENCY_STEPS.map(
  (_, step) => `latency_${step}` as const,
);

/** Every count. A tally has them in this order, which therefore never changes. */
export const STATS_COUNTS: readonly StatsCount[] = [
  'events',
  'attempts_succeeded',
  'attempts_failed',
  'deliveries_delivered',
  'deliveries_failed',
  ...LATENCY_COUNTS,
];

const [EVENTS, SUCCEEDED, FAILED] = [0, 1, 2];
const ENDED = { delivered: 3, failed: 4 };
const LATENCY = 5;

/** An event that was stored. */
export interface CountedEvent {
  workspaceId: string;
  source: string;
  /** The time, in milliseconds since the epoch. */
  at: number;
}

/** An attempt that was recorded. */
export interface CountedAttempt {
  workspaceId: string;
  webhookId: string;
  /** The time of the record, in milliseconds since the epoch. */
  at: number;
  ok: boolean;
  /** The time at which the attempt began, in milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** The HTTP status; `null` without a response. */
  responseStatus: number | null;
  errorKind: AttemptErrorKind | null;
  /** The failure in the words of the receiver or the network, in one line; `null` for none. */
  message: string | null;
  /** The end of its delivery; `null`: it continues, or had ended before. */
  ended: 'delivered' | 'failed' | null;
}

/** Something that the statistics count. */
export type Counted = CountedEvent | CountedAttempt;

/** The last failed attempt of a webhook. */
export type LastFailure = Pick<CountedAttempt, 'startedAt' | 'responseStatus' | 'errorKind' | 'durationMs'>;

/** Events of one source, or failed attempts with one cause. */
interface Named {
  readonly name: string;
  count: number;
  /** The times of the first and the last of them, in milliseconds since the epoch. */
  first: number;
  last: number;
  /** The words of the last one; `null` for none. */
  message: string | null;
}

/** The counts of a minute: of a webhook, or, where `webhookId` is empty, of events in a workspace. */
export interface TallyPart {
  readonly workspaceId: string;
  readonly webhookId: string;
  /** The beginning of the minute, in milliseconds since the epoch. */
  readonly minute: number;
  /** In the order of `STATS_COUNTS`, without the zeros at the end. */
  readonly counts: number[];
  readonly names: Named[];
  failure: LastFailure | null;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Counts of the statistics, minute by minute. They can be added up, and stored as text in between. */
export class Tally {
  readonly parts: TallyPart[] = [];
  /** The parts of a minute, by the ID of the webhook or workspace. */
  readonly #minutes = new Map<number, Map<string, TallyPart>>();

  count(counted: Counted): void {
    if ('source' in counted) this.#countEvent(counted);
    else this.#countAttempt(counted);
  }

  /** Adds the counts of a text that `texts` has made. */
  add(text: string): void {
    for (const { workspaceId, webhookId, minute, counts, names, failure } of JSON.parse(
      text,
    ) as TallyPart[]) {
      const part = this.#part(workspaceId, webhookId, minute);
      for (const [index, count] of counts.entries()) increase(part, index, count);
      for (const named of names) addNamed(part, named);
      if (failure) noteFailure(part, failure);
    }
  }

  /** Sorts the parts by workspace, then by webhook, as the statistics are sorted in which they are added up. */
  sort(): void {
    this.parts.sort(
      (a, b) =>
        compare(a.workspaceId, b.workspaceId) || compare(a.webhookId, b.webhookId) || a.minute - b.minute,
    );
  }

  /** The counts as strings of at most `partsMax` parts each. */
  texts(partsMax: number): string[] {
    const { parts } = this;
    return Array.from({ length: Math.ceil(parts.length / partsMax) }, (_, index) =>
      JSON.stringify(parts.slice(index * partsMax, (index + 1) * partsMax)),
    );
  }

  #countEvent({ workspaceId, source, at }: CountedEvent): void {
    const part = this.#part(workspaceId, '', at);
    increase(part, EVENTS);
    addNamed(part, { name: source, count: 1, first: at, last: at, message: null });
  }

  #countAttempt(attempt: CountedAttempt): void {
    const { at, ok, ended } = attempt;
    const part = this.#part(attempt.workspaceId, attempt.webhookId, at);
    increase(part, ok ? SUCCEEDED : FAILED);
    if (ended !== null) increase(part, ENDED[ended]);
    // Only successful attempts have a latency: a receiver that refuses at once is not fast.
    if (ok) return increase(part, LATENCY + latencyStep(attempt.durationMs));
    const { startedAt, durationMs, responseStatus, errorKind, message } = attempt;
    addNamed(part, { name: `${responseStatus ?? errorKind}`, count: 1, first: at, last: at, message });
    noteFailure(part, { startedAt, responseStatus, errorKind, durationMs });
  }

  #part(workspaceId: string, webhookId: string, at: number): TallyPart {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const id = webhookId || workspaceId;
    let parts = this.#minutes.get(minute);
    if (!parts) this.#minutes.set(minute, (parts = new Map()));
    let part = parts.get(id);
    if (!part) {
      part = { workspaceId, webhookId, minute, counts: [], names: [], failure: null };
      parts.set(id, part);
      this.parts.push(part);
    }
    return part;
  }
}

function increase({ counts }: TallyPart, index: number, by = 1): void {
  while (counts.length <= index) counts.push(0);
  counts[index] = (counts[index] ?? 0) + by;
}

function addNamed({ names }: TallyPart, named: Named): void {
  const known = names.find(({ name }) => name === named.name);
  if (known) {
    known.count += named.count;
    known.first = Math.min(known.first, named.first);
    if (named.last < known.last) return;
    known.last = named.last;
    known.message = named.message;
  } else if (names.length < NAMES_A_MINUTE) {
    names.push(named);
  }
}

function noteFailure(part: TallyPart, failure: LastFailure): void {
  if (failure.startedAt >= (part.failure?.startedAt ?? 0)) part.failure = failure;
}
