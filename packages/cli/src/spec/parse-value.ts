import { usageError } from '../errors/errors.ts';
import type { ValueFlag } from './flag.ts';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `10m`, `2h`, `7d`, `1.5s` → milliseconds; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text);
  if (!match) return undefined;
  return Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
}

/** A date, or a date and time; without a zone it is UTC, as everywhere in the API. */
function parseTimestamp(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', zone = 'Z'] = match;
  const midnight = new Date(`${day}T00:00Z`);
  const date = new Date(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(date.getTime())) return undefined;
  // `2026-02-30` would parse as March 2: a date that does not exist is a mistake, not another date.
  return midnight.toISOString().startsWith(day) ? date.toISOString() : undefined;
}

const kinds = {
  text: (text) => text,
  integer: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  duration: (text) => parseDuration(text),
  time: (text, now) => fromNow(text, now, -1),
  later: (text, now) => fromNow(text, now, 1),
} satisfies Record<ValueFlag['type'], (text: string, now: number) => string | number | undefined>;

function fromNow(text: string, now: number, direction: 1 | -1): string | undefined {
  const duration = parseDuration(text);
  return duration === undefined ? parseTimestamp(text) : new Date(now + direction * duration).toISOString();
}

/** The values that a flag takes, from the least on. */
const RULES: Readonly<Record<ValueFlag['type'], (min: number) => string>> = {
  text: () => 'text',
  integer: (min) => `a whole number${min > 0 ? ` from ${min}` : ''}, such as 20`,
  duration: (min) => `a duration${min > 0 ? ` from ${min}ms` : ''}, such as 30s, 10m, 2h or 7d`,
  time: () => 'a time: 2026-01-31T12:00:00Z, 2026-01-31, or a duration ago such as 2h',
  later: () => 'a time: 2026-12-31T12:00:00Z, 2026-12-31, or a duration from now such as 90d',
};

/** One value of a flag, checked. Durations are counted from `now`. */
export function parseValue(name: string, flag: ValueFlag, { text, now }: { text: string; now: number }) {
  if (flag.choices && !flag.choices.includes(text)) {
    throw usageError(`--${name} takes ${flag.choices.join(', ')}; not "${text}".`);
  }
  if (text === '' && /^file\b/.test(flag.value))
    throw usageError(`--${name} needs the path of a file; not "".`);
  if (flag.rule && !flag.rule.pattern.test(text)) {
    throw usageError(`--${name} takes ${flag.rule.words}; not "${text}".`);
  }
  const value = kinds[flag.type](text, now);
  const { min = 0 } = flag;
  if (value === undefined || (typeof value === 'number' && value < min)) {
    throw usageError(`--${name} takes ${RULES[flag.type](min)}; not "${text}".`);
  }
  return value;
}
