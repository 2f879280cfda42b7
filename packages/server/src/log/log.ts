import { API_KEY_PATTERN } from '@hubline/contract/constants';
import { type LoggerOptions, pino } from 'pino';
import { jsonLines } from './log-json.ts';
import { pinoPretty } from './log-pretty.ts';
import type { ServerConfig } from '../config/config.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { describeFailure } from './describe-failure.ts';
import { OutageLines } from './outage-lines.ts';

/** The log of the server. Fields are allow-listed by their callers: no bodies, no headers, no queries. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

// Fields that could still carry a secret in an error of a library. API keys are caught by their shape as well.
const REDACTED = ['authorization', 'cookie', 'secret', 'token', 'credentials', 'password', 'key'];
const API_KEY = new RegExp(API_KEY_PATTERN, 'g');

// The C1 controls, DEL, and the characters that reorder or hide text.
const ACTING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** The escapes of JSON. Those of line breaks and tabs have no group: a stack has both. */
const ESCAPES = /\\(?:(u00[01][\da-f]|[bfr])|.)/g;

/**
 * A line of JSON in which no foreign text acts on a terminal, whether the line itself is read there or what is made of it: its control
 * characters become texts such as `\u001b`.
 */
const inert = (line: string): string =>
  line
    .replaceAll(ESCAPES, (escape, acting?: string) => (acting === undefined ? escape : `\\${escape}`))
    .replaceAll(ACTING, (acting) => String.raw`\\u${acting.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A log that ends with its server. */
export interface ServerLog extends Logger {
  /** From now on, waits only briefly for a stalled reader. */
  hurry(): void;
  /** Writes the lines that are left, as far as they are read. */
  close(): Promise<void>;
}

/** A database that refuses writes is not a bug, and may refuse thousands: the line has the reason and the cure instead of a stack. */
function withReason(fields: Record<string, unknown>): Record<string, unknown> {
  const { err, ...others } = fields;
  return err instanceof StorageUnavailable ? { ...others, ...describeFailure(err) } : fields;
}

/** Logs to standard error, so that standard output stays what `--json` promises. */
export function createLogger(config: Pick<ServerConfig, 'logFormat' | 'logLevel'>): ServerLog {
  const outage = new OutageLines(() => performance.now());
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    formatters: { log: withReason },
    hooks: {
      logMethod(line, log) {
        const [fields, message] = line as unknown as [object, string];
        const logged = outage.fieldsOf(fields, message);
        if (logged !== null) log.call(this, logged, message);
      },
      streamWrite: (line: string) => inert(line.replaceAll(API_KEY, 'hl_[redacted]')),
    },
  };
  if (config.logFormat === 'pretty') {
    return Object.assign(pino(options, pinoPretty()), { hurry: () => {}, close: async () => {} });
  }
  const { destination, hurry, close } = jsonLines();
  return Object.assign(pino(options, destination), { hurry, close });
}
