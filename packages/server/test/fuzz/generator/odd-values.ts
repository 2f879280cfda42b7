import type { Random } from '../../random.ts';
import { pick, rarely, weighted } from './choose.ts';

/** Text that software gets wrong. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '\ufeff',
  '\u2028',
  '\u0085',
  'é',
  'e\u0301',
  'ﬀ',
  'İ',
  'ß',
  '👨‍👩‍👧‍👦',
  '😀'.repeat(120),
  'null',
  'true',
  '*',
  '-1',
  'NaN',
  '1e999',
  '0x10',
  '9'.repeat(400),
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "' or 1=1 --",
  '$1',
  '{{payload}}',
  '<script>alert(1)</script>',
  '=cmd|calc',
  'https://127.0.0.1',
  'http://[::ffff:7f00:1]',
  'https://user:pass@example.com',
  'https://example.com/#x',
  'https://exämple.com',
  'javascript:alert(1)',
  'a@example.com',
  '"quoted"@example.com',
  '2026-02-30T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '0000-01-01T00:00:00+14:00',
  'whsec_',
  'whsec_!!!!',
  'hl_',
  'event.created',
];

const ODD_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  2 ** 31,
  2 ** 32,
  101,
];

/** Text of one kind that is far too long. */
function longText(random: Random): string {
  const unit = pick(random, ['x', 'é', '😀', '\u0300', '\u0315\u0300', ' ', '"', '\\', '\n', '<']);
  return unit.repeat(random.between(200, rarely(random, 5_000, 200_000)));
}

/** An odd value of any type. */
export function oddValue(random: Random): unknown {
  return weighted<() => unknown>(random, [
    [10, () => pick(random, ODD_TEXTS)],
    [4, () => pick(random, ODD_NUMBERS)],
    [1, () => longText(random)],
    [2, () => pick(random, [true, false, null])],
    [1, () => pick(random, [[], {}, [[]], [null], { '': '' }, { length: 3 }])],
    [
      1,
      () =>
        Array.from({ length: random.between(2, rarely(random, 120, 3_000)) }, () => pick(random, ODD_TEXTS)),
    ],
    [1, () => wide(random.between(2, rarely(random, 120, 2_000)))],
    [1, () => deep(random.between(2, pick(random, [70, 700])))],
    [1, () => randomText(random)],
  ])();
}

const wide = (members: number): object =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, index]));

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A few characters from anywhere in Unicode, lone surrogates among them. */
function randomText(random: Random): string {
  const length = random.between(1, 12);
  return String.fromCharCode(...Array.from({ length }, () => random.between(0, 0xffff)));
}
