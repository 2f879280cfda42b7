import type { Credentials } from '../provider.ts';
import type { CallFormat, CallReading } from './read-call.ts';

/** A call to be read in another thread. Its body is transferred: the main thread no longer has it. */
export interface CallToRead {
  id: number;
  provider: string;
  /** The JSON text of the definition that made the provider; `null` for a built-in one. */
  definition: string | null;
  format: CallFormat;
  headers: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>> | undefined;
  body: Uint8Array<ArrayBuffer>;
  now: Date;
  credentials: Credentials;
}

/** The reading of a call, or the error with which reading it failed. `payload`: that of its event, transferred. */
export type FromReader = { id: number } & (
  | { reading: CallReading; payload: Uint8Array<ArrayBuffer> | null }
  | { error: unknown }
);

/** The same bytes with memory of their own, which can be transferred to another thread. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
