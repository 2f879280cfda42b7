import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { TransientMap } from '../../collections/transient.ts';
import type { FromSockets, RequestFrame, RequestPiece, ResponsePiece, ToSockets } from './frames.ts';

type Send = (frame: ToSockets) => void;

/** A request, as far as the application sees it. Node's own request is with its socket. */
export class Incoming extends EventEmitter {
  readonly method: string;
  url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted: boolean };
  /** The body, if it came together with its headers. */
  readonly whole: Buffer | null;
  /** The whole body has arrived. */
  complete: boolean;
  #aborted = false;
  readonly #id: number;
  readonly #send: Send;

  constructor(frame: RequestFrame, send: Send) {
    super();
    const [, id, method, url, headers, rawHeaders, httpVersion, remoteAddress, encrypted, body] = frame;
    this.#id = id;
    this.#send = send;
    this.method = method;
    this.url = url;
    this.headers = isPairs(headers) ? fromPairs(headers) : headers;
    this.rawHeaders = rawHeaders ?? (isPairs(headers) ? headers : []);
    this.httpVersion = httpVersion;
    this.socket = { remoteAddress, encrypted };
    this.whole = body === null ? null : bytesOf(body);
    this.complete = body !== null;
  }

  /** Begins to read a body that is not `whole`: as `data` events, then `end` or `aborted`. */
  read(): void {
    if (this.#aborted) this.emit('aborted');
    else this.#send(['read', this.#id]);
  }

  /** Notes that the client has gone: a body that has not come will not. */
  abort(): void {
    if (this.complete || this.#aborted) return;
    this.#aborted = true;
    this.emit('aborted');
  }

  receive(frame: FromSockets): void {
    if (frame[0] === 'data') {
      const chunk = bytesOf(frame[2]);
      // Read before the listener gets the chunk, because it may free it.
      const { length } = chunk;
      this.emit('data', chunk);
      this.#send(['taken', this.#id, length]);
    } else if (frame[0] === 'end') {
      this.complete = true;
      this.emit('end');
    } else this.abort();
  }
}

// More than this is written only after the client has read it.
const BUFFER_BYTES = 64 * 1024;

/** The response to a request, with the part of Node's own `ServerResponse` that the application uses. */
export class Outgoing extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  /** The client has the whole response, or has gone. */
  closed = false;
  useChunkedEncodingByDefault = true;
  readonly #id: number;
  readonly #send: Send;
  readonly #forget: (id: number) => void;
  #headers: Record<string, string> = {};
  #begun = false;
  #wantsClosed = false;
  #unread = 0;

  constructor(id: number, { send, forget }: { send: Send; forget: (id: number) => void }) {
    super();
    this.#id = id;
    this.#send = send;
    this.#forget = forget;
  }

  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>> = {}): this {
    this.statusCode = status;
    this.#headers = { ...this.#headers, ...headers };
    this.headersSent = true;
    return this;
  }

  /** Returns false if the caller should wait for `drain` before it writes more. */
  write(piece: ResponsePiece): boolean {
    this.#begin();
    this.#send(['write', this.#id, piece]);
    const before = this.#unread;
    this.#unread += piece.length;
    if (before < BUFFER_BYTES && this.#unread >= BUFFER_BYTES) this.#send(['flush', this.#id]);
    return this.#unread < BUFFER_BYTES;
  }

  end(...pieces: readonly ResponsePiece[]): void {
    if (this.writableEnded || this.closed) return;
    this.writableEnded = true;
    if (!this.#begun) {
      this.#send(['response', this.#id, this.statusCode, this.#headers, pieces, this.#wantsClosed]);
      if (!this.#wantsClosed) this.#forget(this.#id);
      return;
    }
    for (const piece of pieces) this.#send(['write', this.#id, piece]);
    this.#send(['end', this.#id]);
  }

  /**
   * A listener for `close` is called when the request is over, even if it is over already: otherwise, if the client leaves while its
   * response is made, what is held for the response would never be released. Without a listener, the sockets report only clients that go early.
   */
  override once(name: string, listener: (...values: unknown[]) => void): this {
    if (name === 'close') {
      this.#wantsClosed = true;
      if (this.closed) {
        // Not at once: the caller has yet to use what the listener ends.
        queueMicrotask(listener);
        return this;
      }
    }
    return super.once(name, listener);
  }

  setTimeout(ms: number): void {
    this.#send(['timeout', this.#id, ms]);
  }

  writeContinue(): void {
    this.#send(['continue', this.#id]);
  }

  destroy(): this {
    this.destroyed = true;
    this.#send(['destroy', this.#id]);
    return this;
  }

  receive(frame: FromSockets): void {
    if (frame[0] === 'drain') {
      this.#unread = 0;
      this.emit('drain');
      return;
    }
    this.closed = true;
    this.destroyed = true;
    this.emit('close');
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.headersSent = true;
    this.#send(['head', this.#id, this.statusCode, this.#headers, this.useChunkedEncodingByDefault]);
  }
}

/** The requests that the application has. */
export class OpenRequests {
  readonly #open = new TransientMap<number, { incoming: Incoming; outgoing: Outgoing }>();
  readonly #handle: (incoming: Incoming, outgoing: Outgoing) => void;
  readonly #send: Send;
  readonly #forget = (id: number) => void this.#open.delete(id);

  constructor(send: Send, handle: (incoming: Incoming, outgoing: Outgoing) => void) {
    this.#send = send;
    this.#handle = handle;
  }

  receive(frame: FromSockets): void {
    const id = frame[1];
    if (frame[0] === 'request') {
      const incoming = new Incoming(frame, this.#send);
      const outgoing = new Outgoing(id, { send: this.#send, forget: this.#forget });
      this.#open.set(id, { incoming, outgoing });
      this.#handle(incoming, outgoing);
      return;
    }
    const open = this.#open.get(id);
    if (!open) return;
    if (frame[0] === 'closed') {
      this.#open.delete(id);
      open.incoming.abort();
      open.outgoing.receive(frame);
    } else if (frame[0] === 'drain') open.outgoing.receive(frame);
    else open.incoming.receive(frame);
  }
}

const isPairs = (headers: RequestFrame[4]): headers is readonly string[] => Array.isArray(headers);

function fromPairs(pairs: readonly string[]): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (let at = 0; at < pairs.length; at += 2) headers[pairs[at] ?? ''] = pairs[at + 1];
  return headers;
}

/** The bytes of a piece, without a copy if it is bytes already. */
const bytesOf = (piece: RequestPiece): Buffer =>
  typeof piece === 'string'
    ? Buffer.from(piece, 'latin1')
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
