/** Writes a number in one notation. */
type Digits = (value: number) => string;

const decimal: Digits = String;
const octal: Digits = (value) => `0${value.toString(8)}`;
const paddedOctal: Digits = (value) => value.toString(8).padStart(12, '0');
const hex: Digits = (value) => `0x${value.toString(16)}`;
const upperHex: Digits = (value) => `0X${value.toString(16).toUpperCase().padStart(8, '0')}`;

/** Decimal digits from elsewhere in Unicode that the URL parser takes for 0 to 9. */
const digitsFrom =
  (zero: number): Digits =>
  (value) =>
    [...String(value)].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
const fullWidth = digitsFrom(0xff10);
const mathematical = digitsFrom(0x1d7ce);
const circled: Digits = (value) =>
  String(value).replaceAll(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)] ?? '');
const percent: Digits = (value) => String(value).replaceAll(/\d/g, '%3$&');

type Octets = [number, number, number, number];

/** Every notation of an IPv4 address that the WHATWG parser takes, by name. */
const NOTATIONS: Record<string, (octets: Octets) => string> = {
  dotted: (octets) => octets.map(decimal).join('.'),
  octal: (octets) => octets.map(octal).join('.'),
  'padded octal': (octets) => octets.map(paddedOctal).join('.'),
  hexadecimal: (octets) => octets.map(hex).join('.'),
  'upper-case hexadecimal': (octets) => octets.map(upperHex).join('.'),
  'mixed bases': ([a, b, c, d]) => [hex(a), octal(b), decimal(c), upperHex(d)].join('.'),
  'three parts': ([a, b, c, d]) => [a, b, c * 0x100 + d].join('.'),
  'two parts': ([a, ...rest]) => `${a}.${number(rest)}`,
  'two parts in octal': ([a, ...rest]) => `${octal(a)}.${octal(number(rest))}`,
  'one decimal': (octets) => decimal(number(octets)),
  'one hexadecimal': (octets) => hex(number(octets)),
  'one octal': (octets) => octal(number(octets)),
  'a trailing dot': (octets) => `${octets.map(decimal).join('.')}.`,
  'one decimal and a trailing dot': (octets) => `${number(octets)}.`,
  'full-width digits': (octets) => octets.map(fullWidth).join('.'),
  'full-width digits and dots': (octets) => octets.map(fullWidth).join('．'),
  'ideographic dots': (octets) => octets.map(decimal).join('。'),
  'half-width ideographic dots': (octets) => octets.map(decimal).join('｡'),
  'circled digits': (octets) => octets.map(circled).join('.'),
  'mathematical digits': (octets) => octets.map(mathematical).join('.'),
  'percent-encoding': (octets) => octets.map(percent).join('%2e'),
  'soft hyphens': (octets) => octets.map(decimal).join('\u00AD.'),
};

/** The big-endian number. */
function number(octets: readonly number[]): number {
  return octets.reduce((value, octet) => value * 0x100 + octet, 0);
}

/** An IPv4 address in all of its notations, the plain one first. */
export function notationsOf(address: string): string[] {
  const octets = address.split('.').map(Number) as Octets;
  return Object.values(NOTATIONS).map((write) => write(octets));
}
