import { z } from 'zod';
import { isEmail, storedEmail } from './constants/stored-email.ts';
import { storedName } from './constants/stored-name.ts';
import { LIMITS } from './constants/limits.ts';
import { SLUG_PATTERN } from './constants/statuses.ts';

// NUL makes SQLite's length() stop early, and a lone surrogate is stored as invalid UTF-8 and reads back as U+FFFD.
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A string that survives storage unchanged, up to `max` characters (code points, as JSON Schema counts them). */
export function text(min: number, max: number): z.ZodString {
  return z
    .string()
    .refine((value) => isWithin(value, max), { error: `must have at most ${max} characters`, abort: true })
    .refine(isStorable, 'must not contain NUL or lone surrogates')
    .refine((value) => value.length >= min, `must have at least ${min} character${min === 1 ? '' : 's'}`)
    .meta({ minLength: min, maxLength: max });
}

// Counting code points allocates an array, so they are counted only if the length in UTF-16 units does not decide.
function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}

/** The type or the source of an event. The pattern is spelled out, because `\w` matches more than ASCII in other languages. */
export const eventName = text(1, 100).regex(
  /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/,
  'must begin with a letter or digit and contain only letters, digits and _ . : -',
);

const NAME_RULE = `must have at most ${LIMITS.nameMax} characters`;

// A line break would begin a new line in an email, a log or a terminal. A character that turns the direction of the text
// would make a name look like another one.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
// Excludes zero-width spaces, tag characters and the like, which nobody can see.
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** A display name of 1 to 100 characters (specification, "Workspace"): trimmed, NFC, in one line, with at least one visible character. */
export const displayName = z
  .string()
  // Checked before normalization, which sorts the marks of one letter in quadratic time: minutes for a megabyte. The
  // factor is 4 because composition removes at most 3 marks from a letter of any language.
  .refine((value) => isWithin(value, 4 * LIMITS.nameMax), { error: NAME_RULE, abort: true })
  .overwrite(storedName)
  .refine((value) => isWithin(value, LIMITS.nameMax), NAME_RULE)
  .refine(isStorable, { error: 'must not contain NUL or lone surrogates', abort: true })
  .refine((value) => value.length >= 1, { error: 'must have at least 1 character', abort: true })
  .refine((value) => VISIBLE.test(value), { error: 'must have a character that can be seen', abort: true })
  .refine((value) => !UNPRINTABLE.test(value), 'must not contain line breaks or control characters')
  .meta({ minLength: 1, maxLength: LIMITS.nameMax });

/** A workspace slug. Specification, "Workspace". */
export const slug = z
  .string()
  .min(LIMITS.slugMin, `must have at least ${LIMITS.slugMin} characters`)
  .max(LIMITS.slugMax, `must have at most ${LIMITS.slugMax} characters`)
  .regex(new RegExp(SLUG_PATTERN), 'must contain only lower-case letters, digits and hyphens');

const LOCAL_RULE = "must have only ASCII letters, digits and .!#$%&'*+/=?^_`{|}~- before the @";

/** An email address, compared and stored in lower case, with its domain in ASCII. */
export const email = z
  .string()
  .trim()
  .max(LIMITS.emailMax, { error: `must have at most ${LIMITS.emailMax} characters`, abort: true })
  .overwrite(storedEmail)
  .refine((value) => value.length <= LIMITS.emailMax, {
    error: `must have at most ${LIMITS.emailMax} characters, with its domain in ASCII`,
    abort: true,
  })
  .refine((value) => !/[^\s!-~].*@/.test(value), { error: LOCAL_RULE, abort: true })
  .refine(isEmail, 'must be an email address such as ana@example.com')
  .meta({ format: 'email' });

// `2026-01-02T03:04:05.123456789+01:00`
const TIMESTAMP_MAX = 35;
const TIMESTAMP_RULE = 'must be an RFC 3339 timestamp with a zone, such as 2026-01-02T03:04:05Z';
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** Reports whether `value` is an RFC 3339 timestamp with a zone, of a time that exists. `new Date` accepts far more. */
export function isTimestamp(value: string): boolean {
  const match = RFC3339.exec(value);
  if (!match) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const zone = match[7] as string;
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12) return false;
  if (zone.length === 6 && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59)) return false;
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > daysInMonth) return false;
  // In UTC, its year may no longer have four digits. Such a timestamp does not sort as text.
  return /^\d{4}-/.test(new Date(value).toISOString());
}

// Python's `isoformat` writes `+00:00`, and many clients put it into a URL as it is.
const timestampProblem = ({ input }: { readonly input?: unknown }): string =>
  /:\d\d(?:\.\d+)? \d\d:?\d\d$/.test(String(input))
    ? `${TIMESTAMP_RULE}; in a URL, write the + of a zone as %2B`
    : TIMESTAMP_RULE;

/** A timestamp in a request: strict RFC 3339, normalized to UTC with milliseconds. */
export const timestampInput = z
  .string(TIMESTAMP_RULE)
  .refine(isTimestamp, { error: timestampProblem })
  .overwrite((value) => (isTimestamp(value) ? new Date(value).toISOString() : value))
  .meta({ format: 'date-time', maxLength: TIMESTAMP_MAX });

/** A timestamp in a response: ISO 8601, UTC, milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' });
