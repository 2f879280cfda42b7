import type { Logger, LogLevel } from '../core/options.ts';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

/**
 * What the SDK tells about itself. Fields are chosen one by one (method, path, status, ids, milliseconds) and never
 * hold a header, a body or a query, so there is no secret to redact.
 */
export type Log = (level: Exclude<LogLevel, 'off'>, message: string, fields: Record<string, unknown>) => void;

/** A `Log` that drops what is below `level`. */
export function createLog(logger: Logger, level: LogLevel): Log {
  const least = LEVELS.indexOf(level);
  return (severity, message, fields) => {
    if (LEVELS.indexOf(severity) >= least) logger[severity](`hubline: ${message}`, fields);
  };
}
