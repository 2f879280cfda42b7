import { compareDecimals, decimalOf } from './decimal.ts';

/**
 * A number whose text a double would change: `12345678901234567890`, `1.10`. It is written as it was, and counts as its nearest double in
 * arithmetic. Its methods are the ones that Liquid compares with.
 */
export class ExactNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  valueOf(): number {
    return Number(this.#text);
  }

  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.#text);
  }

  equals(other: unknown): boolean {
    return this.#orderTo(other) === 0;
  }

  gt(other: unknown): boolean {
    return this.#orderTo(other) > 0;
  }

  geq(other: unknown): boolean {
    return this.#orderTo(other) >= 0;
  }

  lt(other: unknown): boolean {
    return this.#orderTo(other) < 0;
  }

  leq(other: unknown): boolean {
    return this.#orderTo(other) <= 0;
  }

  #orderTo(other: unknown): number {
    const [own, its] = [decimalOf(this.#text), decimalOf(String(other))];
    return own && its ? compareDecimals(own, its) : Number.NaN;
  }
}

// Matches a number that may change, after a character that may come before it: too many digits for a double, a trailing zero after
// the decimal point, an exponent, or a tiny one.
const MAY_CHANGE = /[:,[\s]-?(?:[\d.]{16}|\d+\.\d*0[\s,\]}]|0\.0{6}|\d+(?:\.\d+)?[eE])|[:,[\s]-0[\s,\]}]/;

/** Parses JSON so that every number can be written as it was. Costs as much as `JSON.parse` where no number needs it. */
export function parseExact(text: string): unknown {
  if (!MAY_CHANGE.test(text)) return JSON.parse(text);
  return (JSON.parse as ParseWithSource)(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? new ExactNumber(source)
      : value,
  );
}

type ParseWithSource = (
  text: string,
  reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;
