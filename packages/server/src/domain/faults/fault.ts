import { type ErrorCode, LIMITS } from '@hubline/contract';

/** One field-level error: the path of the field, and the rule with its cure. */
export interface FaultDetail {
  field: string;
  issue: string;
}

/** The parts of a refusal besides its code and message. */
export interface FaultOptions {
  details?: FaultDetail[];
  /** The time after which the same request makes sense again. */
  retryAfterSeconds?: number;
  /** An API key would authenticate the request. */
  wantsApiKey?: boolean;
  /** It was refused before, by an earlier request with the same `Idempotency-Key`. */
  replayed?: boolean;
  /**
   * The same request may have another outcome next time, because it depends on another service: the refusal is not stored
   * for an `Idempotency-Key`.
   */
  passing?: boolean;
  /** The code of the older flat body, where it says more than `code`: `workspace_not_found`. */
  flatCode?: string;
}

/**
 * A refusal: expected, explained, and turned into an answer at the edge, which gives its code a status. Anything else that is
 * thrown is a bug.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: ErrorCode;
  readonly details: FaultDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly wantsApiKey: boolean;
  readonly replayed: boolean;
  readonly passing: boolean;
  readonly flatCode: string;

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message);
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.wantsApiKey = options.wantsApiKey ?? false;
    this.replayed = options.replayed ?? false;
    this.passing = options.passing ?? false;
    this.flatCode = options.flatCode ?? code;
  }
}

/** The request itself is wrong, at one field. */
export function invalid(field: string, issue: string): Fault {
  return new Fault('invalid_request', sentence(`${field} ${issue}`), { details: [{ field, issue }] });
}

/**
 * The request itself is wrong, at one field or more. The message tells the first; the body lists the first few. `count`: how many
 * errors there are, where not all of them are given.
 */
export function invalidFields(
  details: readonly [FaultDetail, ...FaultDetail[]],
  count: number = details.length,
): Fault {
  const [{ field, issue }] = details;
  if (count === 1) return invalid(field, issue);
  const first = sentence(`${field} ${issue} (1 of ${count} errors)`);
  const unlisted = count - LIMITS.detailsMax;
  const message = unlisted > 0 ? `${first} ${unlisted} more are not listed.` : first;
  return new Fault('invalid_request', message, { details: details.slice(0, LIMITS.detailsMax) });
}

const sentence = (text: string) => (text.endsWith('?') ? text : `${text}.`);

/** The request is well-formed, and a rule forbids it, at one field. */
export function unprocessable(field: string, issue: string, { passing = false } = {}): Fault {
  return new Fault('unprocessable_entity', `${field} ${issue}.`, { details: [{ field, issue }], passing });
}

/**
 * Unknown, malformed, deleted, or of a workspace that the caller is not in. One body for all of them; `field` is the
 * filter or the field of the body that names it, where it is not the path.
 */
export function notFound(noun: string, field?: string): Fault {
  const message = `No such ${noun}. Ids are scoped to a workspace: check the id and the workspace.`;
  return new Fault('not_found', message, {
    flatCode: `${noun.toLowerCase().replaceAll(' ', '_')}_not_found`,
    ...(field === undefined ? {} : { details: [{ field, issue: `names no such ${noun}` }] }),
  });
}
