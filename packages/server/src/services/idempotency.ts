import { hash } from 'node:crypto';
import { type ErrorCode, HEADERS, LIMITS } from '@hubline/contract';
import { endsWithin, pause } from '../clock/timer.ts';
import type { Deps, WorkspaceContext } from '../context.ts';
import { dialectOf } from '../db/dialect-of.ts';
import { findIdempotent, type IdempotencyRow, insertIdempotent } from '../db/idempotency.ts';
import type { Awaitable } from '../db/core/awaitable.ts';
import type { Peers } from '../db/core/peers.ts';
import type { Tx } from '../db/core/schema.ts';
import type { Store } from '../db/core/store.ts';
import { Fault, type FaultDetail } from '../domain/faults/fault.ts';
import { stringify } from '../domain/json/encoded.ts';
import { openIfReadable } from '../secrets/vault.ts';
import { isoTime } from '../domain/time.ts';
import { TransientMap } from '../collections/transient.ts';

/** The method and target of a request. */
interface RequestLine {
  method?: string | undefined;
  /** Path and query. */
  url?: string | undefined;
}

/** A write that must happen once. */
export interface IdempotentRequest {
  /** 128 bits of the hash of the caller and its `Idempotency-Key`: see `idempotencyId`. */
  id: Buffer;
  /** The digest of method, path and raw body: the same key with another request is a mistake. */
  fingerprint: Buffer;
  /** The caller is authenticated. Refusals to strangers are not stored: they could fill the table. */
  known: boolean;
  /** The status of success. Any other stored status is that of a refusal. */
  status: number;
  /** The status that the edge gives to a refusal. */
  statusOf: (refusal: Fault) => number;
  /** The response shows a secret, so it is stored sealed. */
  secret: boolean;
  now: Date;
}

/**
 * Rebuilds the response to a write from the event that it made: storing the response would cost as much as the event.
 */
export interface Recall {
  idOf(result: unknown): string;
  find(eventId: string): Promise<unknown>;
}

/** `Recall`, for callers that have the context of the request. */
export interface RecallWith extends Pick<Recall, 'idOf'> {
  find(context: WorkspaceContext, eventId: string): Promise<unknown>;
}

/** The write function that a service is given. */
type Write = Store['write'];

/** A response that is ready to be sent. */
export interface StoredResponse {
  status: number;
  body: string;
  replayed: boolean;
}

// Deterministic refusals are outcomes, too; errors of authentication, limits and failures are not.
const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set(['not_found', 'conflict', 'unprocessable_entity']);

// The period at which a request checks whether a request with the same key in another process has ended.
const TWIN_POLL_MS = 50;

/** Thrown inside a unit to roll it back: another transaction with the same key has committed first. */
class AlreadyDone extends Error {}

/**
 * Makes a write happen once for each `Idempotency-Key`. Specification, "Limits" 4: the response is stored for 24 hours. It
 * is stored in the transaction of its effect: a crash leaves both or neither.
 */
export class Idempotency {
  readonly #deps: Pick<Deps, 'store' | 'vault'>;
  readonly #running = new TransientMap<string, Promise<unknown>>();

  readonly #fingerprintKey: string;
  readonly #findsInUnit: boolean;

  constructor(deps: Pick<Deps, 'store' | 'vault'>) {
    this.#deps = deps;
    this.#fingerprintKey = deps.vault.mac('idempotency fingerprint', '');
    this.#findsInUnit = dialectOf(deps.store.read).findsOutcomeInUnit;
  }

  /**
   * A digest of what makes two requests the same: method, path with query, and the bytes of the body. Keyed, since bodies hold passwords
   * and secrets that somebody who reads the database could otherwise guess one by one.
   */
  fingerprint({ method, url }: RequestLine, bodyText: string): Buffer {
    return digest(`${this.#fingerprintKey} ${method} ${url}\n${bodyText}`);
  }

  /** Runs the write once. Without `recall`, it stores the response itself. */
  async run(
    request: IdempotentRequest,
    handle: (write: Write) => Promise<unknown>,
    recall?: Recall,
  ): Promise<StoredResponse> {
    const id = request.id.toString('latin1');
    const deadline = performance.now() + LIMITS.idempotencyWaitMs;
    // Nothing is awaited between the last lookup and `set`: one of many requests with the same key runs, and the others
    // wait for it.
    for (let first = this.#running.get(id); first; first = this.#running.get(id)) {
      await waitFor(first, deadline);
    }
    const work = () => this.#handle(request, handle, recall);
    // Publishing needs no lock: of two such requests, one waits in the database for the other, and neither has effects
    // outside the database before that.
    const { peers } = this.#deps.store;
    const running = this.#once(
      id,
      peers && !recall ? () => locked(peers, { request, deadline }, work) : work,
    );
    this.#running.set(id, running);
    return running;
  }

  /** Runs a request, and then lets requests with the same key continue. */
  async #once<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      this.#running.delete(id);
    }
  }

  async #handle(
    request: IdempotentRequest,
    handle: (write: Write) => Promise<unknown>,
    recall?: Recall,
  ): Promise<StoredResponse> {
    const { store } = this.#deps;
    // Publishing has no effects outside its unit, so the unit itself can look for the outcome.
    const looksInside = recall !== undefined && this.#findsInUnit;
    const stored = looksInside ? undefined : await this.find(request, recall);
    if (stored) return stored;
    let body = '';
    const write: Write = (unit, options) =>
      store.write(async (tx) => {
        const found = looksInside && findIdempotent(tx, request.id, oldest(request.now));
        if (found instanceof Promise ? await found : found) throw new AlreadyDone();
        const result = await unit(tx);
        body = result === undefined ? '' : stringify(result);
        const id = recall?.idOf(result) ?? null;
        const outcome = { status: request.status, body: id === null ? body : null, id };
        const inserting = this.#insert(tx, request, outcome);
        const isFirst = inserting instanceof Promise ? await inserting : inserting;
        if (!isFirst) throw new AlreadyDone();
        return result;
      }, options);
    try {
      await handle(write);
      return { status: request.status, body, replayed: false };
    } catch (error) {
      const refusal = error instanceof Fault && STORED_REFUSALS.has(error.code) ? error : undefined;
      if (!refusal && !(error instanceof AlreadyDone)) throw error;
      // The error may be caused by another attempt that was first: the stored outcome decides.
      const first = await this.find(request, recall);
      if (first) return first;
      if (refusal && request.known && !refusal.passing) {
        const { code, message, details, reason } = refusal;
        await store.write(async (tx) =>
          this.#insert(tx, request, {
            status: request.statusOf(refusal),
            // Stored rows have the reason as `flatCode`, after the older response body that shows it.
            body: JSON.stringify({ code, message, details, flatCode: reason }),
            id: null,
          }),
        );
      }
      throw error;
    }
  }

  /**
   * The stored outcome of an earlier request; throws a stored refusal, and a fault if the key was used for another
   * request.
   */
  async find(request: IdempotentRequest, recall?: Recall): Promise<StoredResponse | undefined> {
    const row = await findIdempotent(this.#deps.store.read, request.id, oldest(request.now));
    if (!row) return undefined;
    if (!row.fingerprint.equals(request.fingerprint)) {
      const issue = 'was used for another request; use a new key, or repeat that request unchanged';
      throw new Fault('unprocessable_entity', `${HEADERS.idempotencyKey} ${issue}.`, {
        details: [{ field: HEADERS.idempotencyKey, issue }],
      });
    }
    if (row.status !== request.status) throw storedRefusal(row);
    return { status: row.status, body: await this.#bodyOf(request, row, recall), replayed: true };
  }

  async #bodyOf(request: IdempotentRequest, row: IdempotencyRow, recall?: Recall): Promise<string> {
    if (row.event_id !== null && recall) return stringify(await recall.find(row.event_id));
    const body = row.body ?? '';
    return request.secret ? this.#open(body, request) : body;
  }

  #open(sealed: string, request: IdempotentRequest): string {
    const body = openIfReadable(this.#deps.vault, sealed, sealedResponse(request.id));
    if (body !== null) return body;
    const message = `The request was carried out; its stored response can no longer be decrypted. To repeat it, use a new ${HEADERS.idempotencyKey}.`;
    throw new Fault('conflict', message);
  }

  #insert(
    tx: Tx,
    request: IdempotentRequest,
    outcome: { status: number; body: string | null; id: string | null },
  ): Awaitable<boolean> {
    const { status, body } = outcome;
    const sealed = request.secret && status === request.status && body !== null;
    return insertIdempotent(
      tx,
      {
        id: request.id,
        fingerprint: request.fingerprint,
        status,
        body: sealed ? this.#deps.vault.seal(body, sealedResponse(request.id)) : body,
        event_id: outcome.id,
      },
      { now: isoTime(request.now.getTime()), oldest: oldest(request.now) },
    );
  }
}

/** Runs a request while no other process runs one with the same key. */
async function locked<Result>(
  peers: Peers,
  { request, deadline }: { request: IdempotentRequest; deadline: number },
  work: () => Promise<Result>,
): Promise<Result> {
  let unlock = await peers.lock(request.id);
  while (unlock === null) {
    if (performance.now() > deadline) throw stillRunning();
    await pause(TWIN_POLL_MS);
    unlock = await peers.lock(request.id);
  }
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * Waits for a request with the same key that is still under way. Throws `conflict`, with a time to retry, if that takes
 * too long.
 */
async function waitFor(first: Promise<unknown>, deadline: number): Promise<void> {
  // A failure of that request is not a failure of the one that waits for it.
  const ended = first.catch(() => {});
  if (!(await endsWithin(deadline - performance.now(), ended))) throw stillRunning();
}

const stillRunning = () =>
  new Fault('conflict', `A request with the same ${HEADERS.idempotencyKey} is still running.`, {
    retryAfterSeconds: 1,
  });

const oldest = (now: Date) => isoTime(now.getTime() - LIMITS.idempotencyWindowMs);

/**
 * A hash of 128 bits: enough that no two keys of a user collide, and short, as a column for random lookups should be.
 */
const digest = (text: string): Buffer =>
  // Made from text: a small buffer like this comes from Node's pool, instead of memory of its own that has to be freed.
  Buffer.from(hash('sha256', text, 'hex').slice(0, 32), 'hex');

/**
 * The stored ID of a caller's key, of fixed length. `scope`: the user and workspace of the API key, not the key itself,
 * which may be rotated between two attempts.
 */
export const idempotencyId = (scope: string, key: string): Buffer => digest(`${scope}\n${key}`);

/** The associated data with which a stored response is sealed. */
export const sealedResponse = (id: Buffer) => `idempotency:${id.toString('hex')}`;

function storedRefusal(row: IdempotencyRow): Fault {
  const { code, message, details, flatCode } = JSON.parse(row.body ?? '') as {
    code: ErrorCode;
    message: string;
    details?: FaultDetail[];
    flatCode: string;
  };
  return new Fault(code, message, {
    reason: flatCode,
    replayed: true,
    ...(details ? { details } : {}),
  });
}
