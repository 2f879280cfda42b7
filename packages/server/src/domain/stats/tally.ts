import type { ATTEMPT_ERROR_KINDS } from '@hubline/contract';
import { latencyStep } from './latency.ts';

const MINUTE_MS = 60_000;

// Invented sources must not fill the tables: further names of one workspace or webhook in a minute are not told apart.
const NAMES_MAX = 30;

/** The counts of the statistics. `latency_n` counts the attempts in step n of the histogram. */
export type StatsCount =
  | 'events'
  | 'attempts_succeeded'
  | 'attempts_failed'
  | 'deliveries_delivered'
  | 'deliveries_failed'
  | `latency_${number}`;

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
  /** The HTTP status; `null` without an answer. */
  responseStatus: number | null;
  errorKind: (typeof ATTEMPT_ERROR_KINDS)[number] | null;
  /** The failure in the words of the receiver or the network, in one line; `null` for none. */
  message: string | null;
  /** The end of its delivery; `null`: it goes on, or had ended before. */
  ended: 'delivered' | 'failed' | null;
}

/** Something that the statistics count. */
export type Counted = CountedEvent | CountedAttempt;

/** The last failed attempt of a webhook. */
export type LastFailure = Pick<CountedAttempt, 'startedAt' | 'responseStatus' | 'errorKind' | 'durationMs'>;

/** Events of one source, or failed attempts with one cause. */
interface Named {
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
  readonly counts: Partial<Record<StatsCount, number>>;
  readonly names: Record<string, Named>;
  failure: LastFailure | null;
}

/** Counts of the statistics, minute by minute. They can be added up, and stored as text in between. */
export class Tally {
  readonly #parts = new Map<string, TallyPart>();

  get parts(): Iterable<TallyPart> {
    return this.#parts.values();
  }

  /** The number of its parts. */
  get size(): number {
    return this.#parts.size;
  }

  count(counted: Counted): void {
    if ('source' in counted) this.#countEvent(counted);
    else this.#countAttempt(counted);
  }

  /** Adds the counts of a text that `texts` has made. */
  add(text: string): void {
    for (const { counts, names, failure, ...key } of JSON.parse(text) as TallyPart[]) {
      const part = this.#part(key.workspaceId, key.webhookId, key.minute);
      for (const [name, count] of Object.entries(counts)) increase(part, name as StatsCount, count);
      for (const [name, named] of Object.entries(names)) addNamed(part, name, named);
      if (failure) noteFailure(part, failure);
    }
  }

  /** The counts as texts of at most `partsMax` parts each. */
  texts(partsMax: number): string[] {
    const parts = [...this.#parts.values()];
    return Array.from({ length: Math.ceil(parts.length / partsMax) }, (_, index) =>
      JSON.stringify(parts.slice(index * partsMax, (index + 1) * partsMax)),
    );
  }

  #countEvent({ workspaceId, source, at }: CountedEvent): void {
    const part = this.#part(workspaceId, '', at);
    increase(part, 'events');
    addNamed(part, source, { count: 1, first: at, last: at, message: null });
  }

  #countAttempt(attempt: CountedAttempt): void {
    const { at, ok, ended } = attempt;
    const part = this.#part(attempt.workspaceId, attempt.webhookId, at);
    increase(part, ok ? 'attempts_succeeded' : 'attempts_failed');
    if (ended !== null) increase(part, `deliveries_${ended}`);
    // Only of successful attempts: a receiver that refuses at once is not fast.
    if (ok) return increase(part, `latency_${latencyStep(attempt.durationMs)}`);
    const { startedAt, durationMs, responseStatus, errorKind, message } = attempt;
    addNamed(part, `${responseStatus ?? errorKind}`, { count: 1, first: at, last: at, message });
    noteFailure(part, { startedAt, responseStatus, errorKind, durationMs });
  }

  #part(workspaceId: string, webhookId: string, at: number): TallyPart {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const key = `${minute} ${webhookId || workspaceId}`;
    let part = this.#parts.get(key);
    if (part) return part;
    // Without a prototype: a source may be called `constructor`.
    const names: TallyPart['names'] = Object.create(null);
    part = { workspaceId, webhookId, minute, counts: {}, names, failure: null };
    this.#parts.set(key, part);
    return part;
  }
}

function increase({ counts }: TallyPart, name: StatsCount, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

function addNamed({ names }: TallyPart, name: string, { count, first, last, message }: Named): void {
  const known = names[name];
  if (known) {
    known.count += count;
    known.first = Math.min(known.first, first);
    if (last < known.last) return;
    known.last = last;
    known.message = message;
  } else if (Object.keys(names).length < NAMES_MAX) {
    names[name] = { count, first, last, message };
  }
}

function noteFailure(part: TallyPart, failure: LastFailure): void {
  if (failure.startedAt >= (part.failure?.startedAt ?? 0)) part.failure = failure;
}
