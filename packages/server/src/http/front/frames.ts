import type { IncomingHttpHeaders } from 'node:http';

/**
 * The frames between the sockets of a server and its application, which may be in different threads. They are tuples: the names of an
 * object's fields would be written and looked up for each request.
 */

/** A part of a request's body. A text has one character for each byte, in Latin-1: the fastest way to copy a small body between threads. */
export type RequestPiece = string | Uint8Array;

/** A part of a response's body. A text is sent in UTF-8. */
export type ResponsePiece = string | Uint8Array;

/** A request. If `body` is `null`, the body follows in `data` frames, once the application asks for it with `read`. */
export type RequestFrame = readonly [
  'request',
  id: number,
  method: string,
  url: string,
  /** As Node has joined them, the names in lower case. Between threads, names and values in turn: an object is copied more slowly. */
  headers: IncomingHttpHeaders | readonly string[],
  /** The headers as they came; `null` if `headers` has the same names and values. */
  rawHeaders: readonly string[] | null,
  httpVersion: string,
  address: string | undefined,
  encrypted: boolean,
  body: RequestPiece | null,
];

/** Frames from the sockets. */
export type FromSockets =
  | RequestFrame
  | readonly ['data', id: number, piece: RequestPiece]
  | readonly ['end', id: number]
  /** The body broke off. */
  | readonly ['aborted', id: number]
  /** All that was written is sent. */
  | readonly ['drain', id: number]
  /** The request is over: its client has the response, or has gone. */
  | readonly ['closed', id: number];

/** Frames to the sockets. */
export type ToSockets =
  /** A whole response. `wantsClosed`: the application wants a `closed` frame. */
  | readonly [
      'response',
      id: number,
      status: number,
      headers: Readonly<Record<string, string>>,
      body: readonly ResponsePiece[],
      wantsClosed: boolean,
    ]
  /** The beginning of a response that is written as it is produced. */
  | readonly ['head', id: number, status: number, headers: Readonly<Record<string, string>>, chunked: boolean]
  | readonly ['write', id: number, piece: ResponsePiece]
  /** Asks for `drain`. */
  | readonly ['flush', id: number]
  | readonly ['end', id: number]
  | readonly ['destroy', id: number]
  /** The time for which the client may read nothing, in milliseconds. */
  | readonly ['timeout', id: number, ms: number]
  /** Tells the client to send the body. */
  | readonly ['continue', id: number]
  | readonly ['read', id: number]
  /** Bytes of the body that the application has taken. */
  | readonly ['taken', id: number, bytes: number];

/** The response to bytes that are not a request. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Makes that response, from the client's address and the code of the parser's error. */
export type RefuseBytes = (address: string | undefined, code: string | undefined) => Promise<Refusal>;
