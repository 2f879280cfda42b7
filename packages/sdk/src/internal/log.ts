import type { Logger, LogLevel } from '../core/options.ts';

const SEVERITY = { debug: 0, info: 1, warn: 2, error: 3, off: 4 } as const satisfies Record<LogLevel, number>;

/**
 * What the SDK tells about itself. Fields are chosen one by one (method, path, status, ids, milliseconds) and never
 * hold a header, a body or a query, so there is no secret to redact.
 */
export type Log = (level: Exclude<LogLevel, 'off'>, message: string, fields: Record<string, unknown>) => void;

/** A `Log` that drops what is below `level`. */
export function createLog(logger: Logger, level: LogLevel): Log {
  const least = SEVERITY[level];
  return (severity, message, fields) => {
    if (SEVERITY[severity] >= least) logger[severity](`hubline: ${message}`, fields);
  };
}
