import { nextTurn } from '../../clock/timer.ts';
import type { Incoming, Outgoing } from '../front/open-requests.ts';
import { releaseBuffer } from '../../limits/release-buffer.ts';
import type { ByteBudget, Reservation } from '../../limits/byte-budget.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { HttpFault, unsupported } from '../response/http-fault.ts';
import { whenGone } from '../response/when-gone.ts';

/** The speed at which a body has to arrive. */
export interface UploadPace {
  /** The time from the first read of a body to its last byte, in milliseconds. */
  deadlineMs: number;
  /** The length of the periods in which the speed is measured, in milliseconds. */
  windowMs: number;
  /** The lowest speed allowed in each period. */
  bytesPerSecond: number;
}

/** A request whose body is to be read. */
export interface Upload {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  /** The payer that the memory counts for. */
  holder: string;
  /** The memory that it holds until its response is sent. */
  room: Reservation | null;
}

/** A body on its way. */
interface Pending {
  startedAt: number;
  windowAt: number;
  windowBytes: number;
  size: number;
  fail: (fault: Fault) => void;
}

// 25 MB at half a megabyte per second arrive in time. A phone on a poor connection sends 32 KiB per second; a client
// that only wants to hold memory does not.
const PACE: UploadPace = { deadlineMs: 60_000, windowMs: 10_000, bytesPerSecond: 32 * 1024 };
const CHECKS_PER_WINDOW = 10;
// The first allocation for a body of unknown length.
const FIRST_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);

/**
 * Reads the bodies of requests into memory that is reserved before they come, by their `Content-Length` or as they grow, and
 * ends those that come too slowly.
 */
export class BodyReader {
  readonly #budget: ByteBudget;
  readonly #pace: UploadPace;
  readonly #pending = new Set<Pending>();
  #turns: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(budget: ByteBudget, pace: Partial<UploadPace> = {}) {
    this.#budget = budget;
    this.#pace = { ...PACE, ...pace };
  }

  /** Reads a body up to `limit` bytes; more is 413, without reading the rest. */
  read(upload: Upload, limit: number): Buffer | Promise<Buffer> {
    const { headers, whole } = upload.incoming;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      throw unsupported('Content-Encoding', 'must be absent: compressed bodies are not accepted');
    }
    const chunked = headers['transfer-encoding'] !== undefined;
    const length = whole?.length ?? (chunked ? null : Number(headers['content-length'] ?? 0));
    if (length === 0) return EMPTY;
    if (length !== null && length > limit) throw tooLarge(limit);
    const room = this.#reserve(upload, length ?? Math.min(FIRST_BYTES, limit));
    if (!(room instanceof Promise)) return this.#begin(upload, room, { length, limit });
    return room.then((granted) => this.#begin(upload, granted, { length, limit }));
  }

  #begin(
    upload: Upload,
    room: Reservation,
    { length, limit }: { length: number | null; limit: number },
  ): Buffer | Promise<Buffer> {
    upload.room = room;
    const { whole } = upload.incoming;
    if (whole !== null) return whole;
    if (upload.incoming.headers.expect !== undefined) upload.outgoing.writeContinue();
    return this.#collect(upload, length, limit);
  }

  /** Raises the reservation for a body to the size of its parsed value. */
  enlarge(upload: Upload, bytes: number): void {
    if (upload.room?.resize(Math.max(bytes, upload.room.bytes)) === false) throw this.#budget.refuse();
  }

  /** Waits for a turn of the event loop in which no other request does long work. */
  turn(): Promise<void> {
    this.#turns = this.#turns.then(nextTurn);
    return this.#turns;
  }

  /** Reserves memory. Until some is free, the body waits in the network, where it costs nothing. */
  #reserve({ outgoing, holder }: Upload, bytes: number): Reservation | Promise<Reservation> {
    return this.#budget.reserve(holder, bytes, whenGone(outgoing, cutOff));
  }

  /**
   * Collects a body with plain listeners: an async iterator costs more than all the rest of a small request.
   */
  #collect({ incoming, room }: Upload, length: number | null, limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      const pending: Pending = { startedAt: now, windowAt: now, windowBytes: 0, size: 0, fail };
      let body: Buffer | null = null;
      incoming.on('data', (chunk: Buffer) => {
        const size = pending.size + chunk.length;
        if (size > limit) return fail(tooLarge(limit));
        if (size === length && body === null) body = chunk;
        else {
          body = this.#roomFor(body, { size, length, limit, room });
          if (body === null) return fail(this.#budget.refuse());
          // Copied even where it is a single byte: a list of chunks would cost hundreds of bytes for each of them.
          chunk.copy(body, pending.size);
        }
        pending.windowBytes += chunk.length;
        pending.size = size;
        if (body !== chunk) releaseBuffer(chunk);
      });
      incoming.on('end', () => {
        this.#pending.delete(pending);
        resolve(body === null ? Buffer.alloc(0) : body.subarray(0, pending.size));
      });
      const end = () => fail(cutOff());
      incoming.on('aborted', end);
      this.#watch(pending);

      const watched = this.#pending;
      function fail(fault: Fault): void {
        watched.delete(pending);
        incoming.removeAllListeners();
        reject(fault);
      }
      incoming.read();
    });
  }

  /** Makes room for the next bytes: for all of them if the length is known, otherwise for twice as many as before. */
  #roomFor(
    body: Buffer | null,
    {
      size,
      length,
      limit,
      room,
    }: { size: number; length: number | null; limit: number; room: Reservation | null },
  ): Buffer | null {
    if (body !== null && size <= body.length) return body;
    const capacity = length ?? Math.min(limit, Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(size))));
    // Both buffers exist while one is copied.
    if (length === null && room?.resize(capacity + (body?.length ?? 0)) !== true) return null;
    // Neither zeroed nor from the pool: the system provides memory only as the body arrives.
    const larger = Buffer.allocUnsafeSlow(capacity);
    body?.copy(larger);
    return larger;
  }

  #watch(pending: Pending): void {
    this.#pending.add(pending);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#check(), this.#pace.windowMs / CHECKS_PER_WINDOW);
    this.#timer.unref();
  }

  #check(): void {
    const { deadlineMs, windowMs, bytesPerSecond } = this.#pace;
    const now = performance.now();
    for (const pending of this.#pending) {
      if (now - pending.startedAt > deadlineMs) pending.fail(tooSlow());
      else if (now - pending.windowAt >= windowMs) {
        if (pending.windowBytes < (windowMs / 1_000) * bytesPerSecond) pending.fail(tooSlow());
        pending.windowAt = now;
        pending.windowBytes = 0;
      }
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function tooLarge(limit: number): Fault {
  return new HttpFault(
    413,
    `The body must have at most ${limit} bytes. Shorten it, or send it in several requests.`,
  );
}

function tooSlow(): Fault {
  return new HttpFault(
    408,
    'The body took too long to arrive. Send it without pauses, or in smaller requests.',
  );
}

function cutOff(): Fault {
  return new Fault('invalid_request', 'The body ended before it was complete.');
}
