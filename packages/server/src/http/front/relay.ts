import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { releaseBuffer } from '../../limits/release-buffer.ts';
import { TransientMap } from '../../collections/transient.ts';
import { closeGently, leavesBody } from './linger.ts';
import type { FromSockets, RequestFrame, RequestPiece, ResponsePiece, ToSockets } from './frames.ts';

/** A request that the application has, and its response. */
interface Open {
  readonly id: number;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The application wants to know when the request is over. */
  wantsClosed: boolean;
  /** The application has had its turn to get it. */
  isOffered: boolean;
  /** Bytes of the body that went with the request. */
  offered: number;
  /** Bytes of the body that the application has not taken yet. */
  untaken: number;
}

interface RelayOptions {
  send: (frame: FromSockets) => void;
  /** The application is in another thread: frames are copied on their way. */
  copies: boolean;
}

// Larger bodies wait in the network until the application has memory for them. So do all bodies while the application has this much
// already: otherwise, a busy application would be handed what thousands of clients send.
const WHOLE_BYTES = 64 * 1024;
const OFFERED_BYTES = 8 * 1024 * 1024;
// The part of a body that may be on its way to the application.
const UNTAKEN_BYTES = 256 * 1024;
// The pipelined requests, of all clients, that the application gets in a turn of the event loop. They take a few milliseconds.
const PIPELINED_A_TURN = 8;
const NONE = new Uint8Array(0);

/**
 * Passes requests of Node's server to the application as frames, and writes its responses. The application gets one request of a
 * connection at a time, and in each turn of the event loop few of those that came behind another: clients that send many before they
 * read the responses delay mostly each other.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #open = new TransientMap<number, Open>();
  /** Requests without a response by connection, in the order in which they came. */
  readonly #requests = new WeakMap<Socket, Open[]>();
  #fresh: Open[] = [];
  /** Requests that came behind another of their connection, which now has its response. */
  readonly #pipelined: Open[] = [];
  #offering = false;
  #count = 0;
  #offered = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Takes a request of Node's server. */
  accept(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const id = (this.#count += 1);
    const open: Open = {
      id,
      incoming,
      outgoing,
      wantsClosed: true,
      isOffered: false,
      offered: 0,
      untaken: 0,
    };
    this.#open.set(id, open);
    outgoing.once('close', () => this.#close(open));
    if (this.#requestsOf(incoming.socket).push(open) > 1) return;
    this.#fresh.push(open);
    this.#offerSoon();
  }

  #requestsOf(socket: Socket): Open[] {
    let requests = this.#requests.get(socket);
    if (!requests) {
      requests = [];
      this.#requests.set(socket, requests);
      // Node closes only the response that it is writing.
      socket.once('close', () => {
        for (const open of this.#requests.get(socket)?.splice(0) ?? []) this.#close(open);
      });
    }
    return requests;
  }

  /** Offers requests in the next turn: Node parses a body after it has announced its request, even if both came together. */
  #offerSoon(): void {
    if (this.#offering) return;
    this.#offering = true;
    setImmediate(() => this.#offer());
  }

  /** Carries out a frame of the application. One about a client that has gone meanwhile has no effect. */
  receive(frame: ToSockets): void {
    const open = this.#open.get(frame[1]);
    if (!open) return;
    const { id, incoming, outgoing } = open;
    switch (frame[0]) {
      case 'response': {
        const [, , status, headers, body, wantsClosed] = frame;
        open.wantsClosed = wantsClosed;
        begin(open, status, headers);
        end(outgoing, headers, body);
        break;
      }
      case 'head': {
        const [, , status, headers, chunked] = frame;
        // Without chunks, the body ends with its connection.
        outgoing.useChunkedEncodingByDefault = chunked;
        begin(open, status, headers);
        break;
      }
      case 'write':
        outgoing.write(frame[2]);
        break;
      case 'flush':
        if (outgoing.writableNeedDrain) outgoing.once('drain', () => this.#options.send(['drain', id]));
        else this.#options.send(['drain', id]);
        break;
      case 'end':
        outgoing.end();
        break;
      case 'destroy':
        outgoing.destroy();
        break;
      case 'timeout':
        outgoing.setTimeout(frame[2]);
        break;
      case 'continue':
        outgoing.writeContinue();
        break;
      case 'read':
        this.#read(open);
        break;
      case 'taken':
        open.untaken -= frame[2];
        if (open.untaken <= UNTAKEN_BYTES) incoming.resume();
    }
  }

  /** Offers the requests of this turn of the event loop, with the bodies that came with them. */
  #offer(): void {
    const offered = this.#fresh;
    this.#fresh = [];
    this.#offering = false;
    if (this.#pipelined.length > 0) offered.push(...this.#pipelined.splice(0, PIPELINED_A_TURN));
    if (this.#pipelined.length > 0) this.#offerSoon();
    for (const open of offered) {
      const { incoming } = open;
      if (!this.#open.has(open.id) || isEnding(incoming.socket)) continue;
      open.isOffered = true;
      const size = incoming.readableLength;
      const isWhole =
        incoming.complete && size <= WHOLE_BYTES && (size === 0 || this.#offered + size <= OFFERED_BYTES);
      const body = isWhole ? (size === 0 ? NONE : (incoming.read() as Buffer)) : null;
      this.#options.send(frameOf(open, body && this.#copied(body), this.#options.copies));
      if (this.#open.has(open.id)) {
        open.offered = body?.length ?? 0;
        this.#offered += open.offered;
      } else this.#options.send(['closed', open.id]);
    }
  }

  /** Between threads, text is copied fastest, and a view would take all the memory that it is a part of with it. */
  #copied(piece: Uint8Array): RequestPiece {
    return this.#options.copies ? (piece as Buffer).toString('latin1') : piece;
  }

  #read(open: Open): void {
    const { id, incoming } = open;
    const { send, copies } = this.#options;
    incoming.on('data', (chunk: Buffer) => {
      open.untaken += chunk.length;
      if (open.untaken > UNTAKEN_BYTES) incoming.pause();
      send(['data', id, copies ? new Uint8Array(chunk) : chunk]);
      if (copies) releaseBuffer(chunk);
    });
    incoming.on('end', () => send(['end', id]));
    const abort = () => send(['aborted', id]);
    incoming.on('error', abort);
    incoming.on('aborted', abort);
  }

  #close(open: Open): void {
    if (!this.#open.delete(open.id)) return;
    this.#offered -= open.offered;
    const requests = this.#requests.get(open.incoming.socket);
    if (requests?.[0] === open) {
      requests.shift();
      if (requests[0] && !isEnding(open.incoming.socket)) {
        this.#pipelined.push(requests[0]);
        this.#offerSoon();
      }
    }
    if (open.wantsClosed && open.isOffered) this.#options.send(['closed', open.id]);
  }
}

/**
 * Reports whether a connection gets no more responses: it is closed, or ends with the response that it has. What came behind that request
 * must have no effect, because its client may send it again (RFC 9112, 9.6).
 */
const isEnding = ({ destroyed, writableEnded }: Socket): boolean => destroyed || writableEnded;

function frameOf({ id, incoming }: Open, body: RequestPiece | null, copies: boolean): RequestFrame {
  const { method = '', url = '', headers, rawHeaders, httpVersion, socket } = incoming;
  const pairs: string[] = [];
  if (copies) for (const name in headers) pairs.push(name, String(headers[name]));
  return [
    'request',
    id,
    method,
    url,
    copies ? pairs : headers,
    copies && pairs.length === rawHeaders.length ? null : rawHeaders,
    httpVersion,
    socket.remoteAddress,
    'encrypted' in socket,
    body,
  ];
}

function begin(
  { incoming, outgoing }: Open,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  if (leavesBody(incoming)) closeGently(incoming, outgoing);
  outgoing.writeHead(status, headers);
}

function end(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  pieces: readonly ResponsePiece[],
): void {
  const [only = ''] = pieces;
  // Written together with the headers: in parts, a page took a fifth longer.
  if (pieces.length < 2 && typeof only === 'string') {
    outgoing.end(only, isAscii(only, headers) ? 'latin1' : 'utf8');
    return;
  }
  outgoing.cork();
  for (const piece of pieces) outgoing.write(piece);
  outgoing.end();
}

/**
 * Reports whether each character of a text is one byte: Node writes such a page in a fifth of the time that UTF-8
 * takes.
 */
const isAscii = (text: string, headers: Readonly<Record<string, string>>) =>
  Number(headers['Content-Length']) === text.length;
