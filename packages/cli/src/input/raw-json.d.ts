/** JSON.parse source text access, in every Node that we run on, and not yet in TypeScript's own types. */
interface JSON {
  /** A value that `JSON.stringify` prints as this text. */
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
