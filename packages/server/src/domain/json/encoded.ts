/** Part of a JSON text. Bytes stay bytes: a payload of megabytes is neither decoded nor joined to what stands around it. */
export type JsonPiece = string | Buffer;

/**
 * A value as its JSON text. Parts that are text already, such as a payload, are kept byte for byte: parsing and printing would change
 * numbers beyond 2^53, `1.0`, and repeated keys, and costs more than everything around it.
 */
export class Encoded<Value> {
  /** The type of the value, which exists only for the compiler. */
  declare readonly value: Value;
  readonly pieces: readonly JsonPiece[];
  /** Its bytes in UTF-8. */
  readonly bytes: number;

  constructor(pieces: readonly JsonPiece[], bytes = bytesOf(pieces)) {
    this.pieces = pieces;
    this.bytes = bytes;
  }

  get text(): string {
    return this.pieces.join('');
  }
}

/** `JSON.stringify`, for a value that may be text already. */
export const stringify = (value: unknown): string =>
  value instanceof Encoded ? value.text : JSON.stringify(value);

/** `stringify`, with its bytes counted. */
export const encode = (value: unknown): Encoded<unknown> =>
  value instanceof Encoded ? value : new Encoded([JSON.stringify(value)]);

/** The number of bytes that the pieces have in UTF-8. */
export function bytesOf(pieces: readonly JsonPiece[]): number {
  let bytes = 0;
  for (const piece of pieces) bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  return bytes;
}
