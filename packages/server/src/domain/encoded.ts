/**
 * A value as its JSON text. What is in it as text, such as a payload, is kept byte for byte: parsing and printing would change
 * numbers beyond 2^53, `1.0`, and repeated keys, and costs more than everything around it.
 */
export class Encoded<Value> {
  /** Only for the compiler: what the text stands for. */
  declare readonly value: Value;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `JSON.stringify`, for what may be text already. */
export const stringify = (value: unknown): string =>
  value instanceof Encoded ? value.text : JSON.stringify(value);
