import { pino } from 'pino';
import { pinoPretty } from './log-pretty.ts';
import type { ServerConfig } from './config.ts';

/** Where the server says what it does. Fields are allow-listed by their callers: no bodies, no headers, no queries. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

// What could still carry a secret in an error of a library. The keys of API users are caught by their shape as well.
const REDACTED = ['authorization', 'cookie', 'secret', 'token', 'credentials', 'password', 'key'];
const API_KEY = /hl_[0-9A-Za-z]{36}/g;

// Written in the background: a reader that stalls must not stop the server. What it misses then is more than this.
const IN_BACKGROUND = { dest: 2, sync: false, maxLength: 8 * 1024 * 1024 };

/** Logs to standard error, so that standard output stays what `--json` promises. */
export function createLogger(config: Pick<ServerConfig, 'logFormat' | 'logLevel'>): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    hooks: {
      streamWrite: (line: string) => line.replaceAll(API_KEY, 'hl_[redacted]'),
    },
  };
  return config.logFormat === 'pretty'
    ? pino(options, pinoPretty())
    : pino(options, pino.destination(IN_BACKGROUND));
}
