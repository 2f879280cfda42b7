import { type ErrorCode, ID_PREFIXES, type IdKind, LIMITS } from '@hubline/contract';

/** One field-level error: the path of the field, and the rule with its cure. */
export interface FaultDetail {
  field: string;
  issue: string;
}

/** The parts of a refusal besides its code and message. */
export interface FaultOptions {
  details?: FaultDetail[];
  /** The time after which the same request may succeed. */
  retryAfterSeconds?: number;
  /** True if an API key would authenticate the request. */
  wantsApiKey?: boolean;
  /** True if it was refused before, by an earlier request with the same `Idempotency-Key`. */
  replayed?: boolean;
  /**
   * True if the same request may have another outcome next time, because it depends on another service: the refusal is not
   * stored for an `Idempotency-Key`.
   */
  passing?: boolean;
  /** The exact reason, where it says more than `code`: `workspace_not_found`. */
  reason?: string;
}

/**
 * A refusal: expected, explained, and turned into a response at the edge, which gives its code a status. Anything else that is
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
  readonly reason: string;

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message);
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.wantsApiKey = options.wantsApiKey ?? false;
    this.replayed = options.replayed ?? false;
    this.passing = options.passing ?? false;
    this.reason = options.reason ?? code;
  }
}

/** Refuses a request that is itself wrong, at one field. */
export function invalid(field: string, issue: string): Fault {
  return new Fault('invalid_request', sentence(`${field} ${issue}`), { details: [{ field, issue }] });
}

/**
 * Refuses a request that is itself wrong, at one field or more. The message names the first; the body lists the first few. `count`:
 * the number of errors, where not all of them are given.
 */
export function invalidFields(
  details: readonly [FaultDetail, ...FaultDetail[]],
  count: number = details.length,
): Fault {
  return refusedFields('invalid_request', details, count);
}

function refusedFields(
  code: ErrorCode,
  details: readonly [FaultDetail, ...FaultDetail[]],
  count: number = details.length,
): Fault {
  const [{ field, issue }] = details;
  const first = sentence(`${field} ${issue}${count === 1 ? '' : ` (1 of ${count} errors)`}`);
  const unlisted = count - LIMITS.detailsMax;
  const message =
    unlisted > 0 ? `${first} ${unlisted} more ${unlisted === 1 ? 'is' : 'are'} not listed.` : first;
  return new Fault(code, message, { details: details.slice(0, LIMITS.detailsMax) });
}

/** Throws all of these refusals as one, so that one response names everything that is wrong with a request. */
export function throwAll(faults: readonly Fault[]): void {
  const [first, ...others] = faults;
  if (first) throw oneFault([first, ...others]);
}

/**
 * Combines several refusals into one. Its code is theirs if they have the same; otherwise it is `invalid_request` if one of them has
 * that code, else `unprocessable_entity`.
 */
export function oneFault(faults: readonly [Fault, ...Fault[]]): Fault {
  const [first] = faults;
  if (faults.length === 1) return first;
  const codes = new Set(faults.map(({ code }) => code));
  const [detail, ...others] = faults.flatMap(({ details = [] }) => details);
  if (!detail) return first;
  const isOne = codes.size === 1;
  if (isOne && first.code === 'not_found')
    return new Fault('not_found', first.message, {
      details: [detail, ...others].slice(0, LIMITS.detailsMax),
      reason: first.reason,
    });
  const mixed = codes.has('invalid_request') ? 'invalid_request' : 'unprocessable_entity';
  return refusedFields(isOne ? first.code : mixed, [detail, ...others]);
}

const sentence = (text: string) => (text.endsWith('?') ? text : `${text}.`);

/** Refuses a request that is well-formed, but that a rule forbids, at one field. */
export function unprocessable(field: string, issue: string, { passing = false } = {}): Fault {
  return new Fault('unprocessable_entity', sentence(`${field} ${issue}`), {
    details: [{ field, issue }],
    passing,
  });
}

/** The kind of ID of each noun in a refusal, where the two differ. */
const KINDS: Readonly<Record<string, IdKind>> = {
  'API key': 'apiKey',
  member: 'user',
  'notification rule': 'notificationRule',
  'notification template': 'notificationTemplate',
  'OAuth flow': 'oauthFlow',
};

/** The cures for things that have no ID, or do not belong to one workspace. */
const CURES: Readonly<Record<string, string>> = {
  workspace: `Check the ID (${idForm('workspace')}, not the slug), and that your user or API key belongs to it.`,
  notification: `Check the ID (${idForm('notification')}), and that the notification is yours.`,
  'version of the template': 'Check the ID of the template, and the version.',
  'OAuth provider': 'Check its key, such as slack; the list of OAuth apps names those that can be connected.',
  'OAuth app': 'Check the key of the provider, such as slack, and the workspace.',
};

function idForm(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_ and 26 characters`;
}

/** The form of the IDs of a resource; `null` if it has none. */
export function idFormOf(noun: string): string | null {
  const kind = KINDS[noun] ?? (Object.hasOwn(ID_PREFIXES, noun) ? (noun as IdKind) : null);
  return kind && idForm(kind);
}

/**
 * Refuses a thing that is unknown, malformed, deleted, or in a workspace that the caller is not in: with the same body for
 * all of them. `field` is the filter or the field of the body that names it, where it is not the path.
 */
export function notFound(noun: string, field?: string): Fault {
  const form = idFormOf(noun);
  const cure = CURES[noun] ?? `Check the ID${form === null ? '' : ` (${form})`} and the workspace.`;
  return new Fault('not_found', `No such ${noun}. ${cure}`, {
    reason: `${noun.toLowerCase().replaceAll(' ', '_')}_not_found`,
    ...(field === undefined ? {} : { details: [{ field, issue: `names no such ${noun}` }] }),
  });
}
