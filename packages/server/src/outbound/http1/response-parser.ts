import { framingOf, readHead, type ResponseHead } from './response-head.ts';
import { notHttp, TransportError } from '../failures/transport-error.ts';

/** Gets a response, part by part. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** Called with a part of the body: a view of memory that the next read overwrites. */
  onBody(part: Buffer): void;
  onEnd(): void;
}

// Also for a line of the framing of chunks, of which one is ten bytes long.
const HEAD_BYTES = 32 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const HTTP = 'HTTP/';
const EMPTY_LINE = '\r\n\r\n';
const LONE_LF = /[^\r]\n/;
// Extensions of a chunk may follow its size: nobody uses them.
const CHUNK_SIZE = /^([\da-f]+)[\t ]*(?:;.*)?$/i;

/** The part of a response that comes next. `until close`: a body that ends with its connection. */
type Part = 'head' | 'body' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'nothing';

/**
 * Reads the responses on one connection, strictly: what two readers might read in two ways is refused. RFC 9112. The
 * work grows with the bytes that come, however they are cut, and their number is bounded. Throws `TransportError`.
 */
export class ResponseParser {
  readonly #maxBytes: number;
  readonly #sink: ResponseSink;
  #method = '';
  #part: Part = 'nothing';
  /** The beginning of a head or a line that has not come whole. To search it would copy it, each time that a byte comes. */
  #text = '';
  /** The end of it: what follows may complete an empty line. */
  #tail = '';
  /** Bytes of the response so far. */
  #received = 0;
  /** Bytes of the body or chunk that are still to come. */
  #left = 0;
  #isReusable = false;
  #keepAliveMs: number | null = null;

  /** `maxBytes`: the most that a response may have in all, with hints, headers, framing and trailers. */
  constructor(maxBytes: number, sink: ResponseSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Reports whether a byte of the response has arrived. */
  get hasBegun(): boolean {
    return this.#received > 0;
  }

  /** Reports whether another request may follow the response that has just ended. */
  get isReusable(): boolean {
    return this.#isReusable;
  }

  /** The time for which the receiver keeps the connection, in milliseconds, if its `Keep-Alive` says so. */
  get keepAliveMs(): number | null {
    return this.#keepAliveMs;
  }

  /** Expects the response to a request. */
  expect(method: string): void {
    this.#method = method;
    this.#part = 'head';
    this.#text = this.#tail = '';
    this.#received = 0;
    this.#isReusable = false;
    this.#keepAliveMs = null;
  }

  /** Wants no more of the response. */
  drop(): void {
    this.#part = 'nothing';
  }

  /** Reads what has arrived. A connection on which something follows a response cannot be used again. */
  read(bytes: Buffer): void {
    this.#received += bytes.length;
    if (this.#received > this.#maxBytes) throw new TransportError('ERR_RESPONSE_TOO_LONG');
    let at = 0;
    while (at < bytes.length && this.#part !== 'nothing') at = this.#take(bytes, at);
    if (this.#part !== 'nothing') return;
    if (at < bytes.length) this.#isReusable = false;
    this.#sink.onEnd();
  }

  /** The receiver has closed the connection. Throws unless that is the end of the response. */
  close(): void {
    if (this.#part !== 'until close') throw new TransportError('ERR_CLOSED');
    this.#part = 'nothing';
    this.#sink.onEnd();
  }

  /** Takes a part of the response, or as much of it as has arrived, and returns the place after it. */
  #take(bytes: Buffer, at: number): number {
    switch (this.#part) {
      case 'head':
        return this.#takeHead(bytes, at);
      case 'body':
      case 'chunk':
        return this.#takeCounted(bytes, at);
      case 'until close':
        this.#sink.onBody(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
      default:
        return this.#takeLine(bytes, at);
    }
  }

  #takeHead(bytes: Buffer, at: number): number {
    // Some receivers send an empty line after a body, which may come with the next response.
    if (this.#text === '' && (bytes[at] === CR || bytes[at] === LF)) return at + 1;
    const before = this.#text.length;
    const added = bytes.toString('latin1', at);
    const searched = this.#tail + added;
    const text = this.#text + added;
    const found = searched.indexOf(EMPTY_LINE);
    const end = before - this.#tail.length + found;
    if (found >= 0 && end <= HEAD_BYTES) {
      this.#text = this.#tail = '';
      this.#begin(readHead(text.slice(0, end)));
      return at + end + EMPTY_LINE.length - before;
    }
    // Not all receivers that are no HTTP servers ever send an empty line.
    if (before < HTTP.length && !HTTP.startsWith(text.slice(0, HTTP.length)))
      throw notHttp('it does not begin with HTTP/');
    if (LONE_LF.test(searched)) throw notHttp('a line does not end in CR LF');
    if (text.length > HEAD_BYTES) throw new TransportError('ERR_HEADERS_TOO_LARGE');
    this.#text = text;
    this.#tail = searched.slice(1 - EMPTY_LINE.length);
    return bytes.length;
  }

  #begin(head: ResponseHead): void {
    const { status } = head;
    const { length, isChunked, keepsOpen, keepAliveMs } = framingOf(head);
    if (status === 101) throw new TransportError('ERR_PROTOCOL_SWITCH');
    // Others below 200 are hints that come before the response.
    if (status < 200) return;
    this.#isReusable = keepsOpen;
    this.#keepAliveMs = keepAliveMs;
    this.#sink.onHead(head);
    this.#left = length ?? 0;
    const hasBody = this.#method !== 'HEAD' && status !== 204 && status !== 304 && length !== 0;
    if (!hasBody) this.#part = 'nothing';
    else if (isChunked) this.#part = 'chunk size';
    else if (length !== null) this.#part = 'body';
    else {
      this.#part = 'until close';
      this.#isReusable = false;
    }
  }

  #takeCounted(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#sink.onBody(bytes.subarray(at, end));
    if (this.#left === 0) this.#part = this.#part === 'chunk' ? 'chunk end' : 'nothing';
    return end;
  }

  /** Takes a line of the framing of chunks. */
  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    const text = this.#text + bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    if (text.length > HEAD_BYTES) throw notHttp('a line between its chunks is too long');
    if (end < 0) {
      this.#text = text;
      return bytes.length;
    }
    this.#text = '';
    if (!text.endsWith('\r')) throw notHttp('a line does not end in CR LF');
    this.#endLine(text.slice(0, -1));
    return end + 1;
  }

  #endLine(line: string): void {
    if (this.#part === 'chunk size') {
      this.#left = Number.parseInt(CHUNK_SIZE.exec(line)?.[1] ?? '', 16);
      if (!Number.isSafeInteger(this.#left)) throw notHttp('a chunk has no valid size');
      this.#part = this.#left === 0 ? 'trailers' : 'chunk';
    } else if (this.#part === 'chunk end') {
      if (line !== '') throw notHttp('a chunk is longer than its size');
      this.#part = 'chunk size';
    } else if (line === '') this.#part = 'nothing';
  }
}
