import { lowerCase } from '../internal/headers.ts';
import { isBrowser, readEnv } from '../internal/runtime.ts';
import { parseBaseURL } from '../internal/url.ts';
import { version } from '../internal/version.ts';
import { HublineError } from './errors.ts';
import type { CallLimits, ClientOptions, Logger, LogLevel, RequestOptions } from './options.ts';
import type { RateLimit } from './response.ts';
import type { Middleware, Transport } from './transport.ts';

/** State that the calls of a client share. */
interface SharedState {
  /** No request goes out before this time, on the monotonic clock. */
  pausedUntil: number;
  rateLimit: RateLimit | null;
  /** Operations whose deprecation has been logged. */
  readonly deprecated: Set<string>;
}

/** Options, checked and complete. */
export interface Config {
  readonly apiKey: string | null;
  readonly baseURL: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Required<{ [Name in keyof CallLimits]: number }>;
  readonly maxResponseBytes: number;
  readonly transport: Transport;
  readonly middleware: readonly Middleware[];
  readonly parseJSON: NonNullable<ClientOptions['parseJSON']>;
  readonly schemas: NonNullable<ClientOptions['schemas']>;
  readonly log: Log;
  readonly state: SharedState;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:8787/v1';

/** 128 MiB: enough for a page of 100 events with large payloads; stops an endless body. */
const MAX_RESPONSE_BYTES = 2 ** 27;

/** Enough attempts (1 + 2 + 4 + 8 seconds apart) to outlive a restart of the server. */
const DEFAULT_LIMITS: Config['limits'] = {
  timeout: 30_000,
  totalTimeout: Infinity,
  maxRetries: 4,
  maxRetryAfter: 60_000,
};

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as (keyof CallLimits)[];

const OPTIONS = [
  'apiKey',
  'baseURL',
  'headers',
  ...LIMIT_NAMES,
  'maxResponseBytes',
  'transport',
  'fetch',
  'middleware',
  'parseJSON',
  'schemas',
  'logger',
  'logLevel',
  'allowInsecureHttp',
  'dangerouslyAllowBrowser',
] satisfies (keyof ClientOptions)[];

export const CALL_OPTIONS = [
  'headers',
  ...LIMIT_NAMES,
  'signal',
  'idempotencyKey',
  'schema',
] satisfies (keyof RequestOptions)[];

/** Checks options and fills in the defaults. */
export function resolveConfig(
  options: ClientOptions,
  transportOf: (options: ClientOptions) => Transport,
): Config {
  if (isBrowser() && !options.dangerouslyAllowBrowser) {
    throw new HublineError(
      'In a web page, anyone can read the API key. Allow it with dangerouslyAllowBrowser.',
    );
  }
  refuseUnknown(options, OPTIONS);
  if (options.transport && options.fetch) {
    throw new HublineError('Set fetch or transport, not both.');
  }
  const apiKey = resolveKey(options.apiKey);
  return {
    apiKey,
    baseURL: parseBaseURL(
      options.baseURL ?? readEnv('HUBLINE_BASE_URL') ?? DEFAULT_BASE_URL,
      options.allowInsecureHttp,
    ),
    headers: {
      accept: 'application/json',
      'user-agent': `hubline-sdk/${version}`,
      ...lowerCase(options.headers),
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    },
    limits: resolveLimits(DEFAULT_LIMITS, options),
    maxResponseBytes: checked('maxResponseBytes', options.maxResponseBytes ?? MAX_RESPONSE_BYTES),
    transport: options.transport ?? transportOf(options),
    middleware: options.middleware ?? [],
    parseJSON: options.parseJSON ?? JSON.parse,
    schemas: options.schemas ?? {},
    log: createLog(options.logger ?? globalThis.console, options.logLevel ?? 'warn'),
    state: { pausedUntil: 0, rateLimit: null, deprecated: new Set() },
  };
}

/** Refuses a misspelled option: a `baseUrl`, if ignored, would send the key to another server. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new HublineError(`Unknown option ${name}. Use one of ${names.join(', ')}.`);
}

/** Overrides `defaults` with `given`, checked. */
export function resolveLimits(defaults: Config['limits'], given: CallLimits): Config['limits'] {
  const limits = { ...defaults };
  for (const name of LIMIT_NAMES)
    limits[name] = checked(name, given[name] ?? defaults[name], name === 'maxRetries' ? 0 : 1);
  return limits;
}

/**
 * Returns the value of a limit if it is a number of at least `least`; with 0 as `least`, it must be whole. Refuses a `NaN` or a
 * string, with which retries would never end or never wait.
 */
export function checked(name: string, value: unknown, least: 0 | 1 = 1): number {
  if (typeof value === 'number' && value >= least && (least || !(value % 1))) return value;
  throw new HublineError(`${name} must be a ${least ? '' : 'whole '}number from ${least}, or Infinity.`);
}

function resolveKey(given: string | null | undefined): string | null {
  if (given === null) return null;
  const key = given ?? readEnv('HUBLINE_API_KEY') ?? '';
  if (/^[!-~]+$/.test(key)) return key;
  // A line break would split the header, and the runtime's error message would show the key. This message does not.
  throw new HublineError('apiKey is missing or not visible ASCII. Pass it, or set HUBLINE_API_KEY.');
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

/**
 * Writes log lines of the SDK. Fields are chosen one by one (method, path, status, ids, milliseconds) and never hold a header, a
 * body or a query, so there is no secret to redact.
 */
type Log = (level: Exclude<LogLevel, 'off'>, message: string, fields: Record<string, unknown>) => void;

/** A `Log` that drops lines below `level`. */
function createLog(logger: Logger, level: LogLevel): Log {
  const least = LEVELS.indexOf(level);
  if (least < 0) throw new HublineError(`logLevel must be one of ${LEVELS.join(', ')}.`);
  return (severity, message, fields) => {
    if (LEVELS.indexOf(severity) >= least) logger[severity](`hubline: ${message}`, fields);
  };
}
