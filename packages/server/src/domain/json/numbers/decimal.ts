/** A decimal number of any size: `sign · 0.digits · 10^point`, without leading and trailing zeros. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly point: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO: Decimal = { sign: 0, digits: '', point: 0 };

/** Reads a number as JSON writes it; `undefined` for anything else. */
export function decimalOf(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, minus, whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return ZERO;
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(first, end);
  return { sign: minus ? -1 : 1, digits, point: whole.length - first + Number(exponent) };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. Exact for numbers of any size. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.point !== b.point) return a.point > b.point ? a.sign : -a.sign;
  if (a.digits === b.digits) return 0;
  // Both follow the decimal point, so as text they sort like numbers.
  return a.digits > b.digits ? a.sign : -a.sign;
}
