import { view } from '../spec/view.ts';
import type { Style } from '../terminal/io.ts';

/** One attempt to hand a delivery to a program on this machine. */
export interface ForwardedAttempt {
  readonly time: string;
  readonly trigger: string;
  /** The type of the event, such as `push`. */
  readonly type: string | null;
  readonly event_id: string | null;
  readonly delivery_id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The maximum number of attempts. */
  readonly attempts: number;
  readonly delivered: boolean;
  /** HTTP status, or exit code of a command; `null` without a response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  /** Milliseconds until the next attempt; `null` if there is none. */
  readonly retry_in_ms: number | null;
  readonly request_headers?: Readonly<Record<string, string>>;
  readonly request_body?: string;
  readonly response_headers?: Readonly<Record<string, string>> | null;
  readonly response_body?: string | null;
}

export const forwardedView = view<ForwardedAttempt>()({
  noun: ['attempt', 'attempts'],
  fields: [
    'time',
    'trigger',
    'type',
    'event_id',
    'delivery_id',
    'attempt',
    'attempts',
    'delivered',
    'status',
    'duration_ms',
    'error',
    'retry_in_ms',
    'request_headers',
    'request_body',
    'response_headers',
    'response_body',
  ],
  columns: [
    'time',
    { path: 'type', flexible: true },
    'delivery_id',
    'attempt',
    'status',
    { path: 'duration_ms', header: 'MS' },
    { path: 'error', flexible: true },
  ],
  id: 'delivery_id',
});

/** `12:04:19 500    8 ms push evt_82 again in 5.0 s`: with the IDs of real events it fits 80 columns. */
export function forwardedLine(attempt: ForwardedAttempt, style: Style): string {
  const { time, type, trigger, event_id: event, delivery_id: delivery, status, duration_ms: ms } = attempt;
  const paint = attempt.delivered ? style.green : style.red;
  const outcome = paint(String(status ?? '---').padStart(3));
  const notes = [attempt.error, retryNote(attempt)].filter(Boolean).join('; ');
  const clock = style.dim(time.slice(11, 19));
  const line = `${clock} ${outcome} ${String(ms).padStart(4)} ms ${type ?? trigger} ${event ?? delivery}`;
  return [notes === '' ? line : `${line} ${notes}`, ...shownParts(attempt, style)].join('\n');
}

function retryNote({ attempt, attempts, delivered, retry_in_ms: wait }: ForwardedAttempt): string | null {
  if (delivered) return attempt > 1 ? `attempt ${attempt}` : null;
  if (wait === null) return attempts > 1 ? `given up after ${attempt}` : null;
  const seconds = wait / 1_000;
  return `again in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

function shownParts(attempt: ForwardedAttempt, style: Style): string[] {
  const {
    request_headers: sent,
    response_headers: got,
    request_body: body,
    response_body: response,
  } = attempt;
  const list = (headers: Readonly<Record<string, string>>, mark: string): string[] =>
    Object.entries(headers).map(([name, value]) => style.dim(`  ${mark} ${name}: ${value}`));
  return [
    ...(sent ? list(sent, '>') : []),
    ...(body === undefined ? [] : [`  > ${body}`]),
    ...(got ? list(got, '<') : []),
    ...(response ? [`  < ${response}`] : []),
  ];
}
