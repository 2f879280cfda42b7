import { parentPort } from 'node:worker_threads';
import { Outgoing } from '../http/front/open-requests.ts';
import type { ConnectionPool } from '../outbound/pool/connection-pool.ts';
import type { PendingExchange } from '../outbound/pool/http-connection.ts';
import { onPrepare } from './prepare.ts';

// Much longer than a response or a call takes, so that most crashes fall into this time.
const TOO_LATE_MS = 50;
// Much longer than a lease in runs with a clock that is sixty times as fast: a busy machine makes the second call before it, too.
const STALE_MS = 5_000;
// Long enough for clients, on a busy machine too, to get responses to writes that are then lost.
const COMMIT_LATE_MS = 500;
// A server that is about to crash must never reach its commit, however long a busy machine takes for the calls before
// it.
const OFFERED_EARLY_MS = process.env['HUBLINE_CRASH_AT'] === undefined ? COMMIT_LATE_MS : 60_000;

/**
 * Bugs that a delivery engine could have, planted one at a time: a harness that misses them would miss real ones.
 * They are planted from outside, in the driver and the HTTP client, so that the program contains none of
 * their code.
 */
const BUGS = {
  'ack-before-commit': acknowledgeBeforeCommit,
  'offer-before-commit': offerBeforeCommit,
  'unfenced-lease': forgetFencing,
  'stale-sender-result': recordStaleResults,
  'record-before-send': recordBeforeSend,
  'job-done-at-claim': finishClaimedJobs,
};

/** The name of a planted bug. */
export type PlantedBug = keyof typeof BUGS;

/** Plants the bug with this name; none for `undefined`. */
export function plantBug(name: string | undefined): void {
  if (name === undefined) return;
  if (!Object.hasOwn(BUGS, name)) throw new TypeError(`There is no planted bug ${name}.`);
  void BUGS[name as PlantedBug]();
}

/** COMMIT reports success at once; the writes of several groups become durable later, together. */
function acknowledgeBeforeCommit(): void {
  commitLate(COMMIT_LATE_MS);
}

/** Deliveries are sent before the transaction that made them is committed. The client's response waits for the commit, as it should. */
function offerBeforeCommit(): void {
  const responses: (() => void)[] = [];
  const pending = commitLate(OFFERED_EARLY_MS, () => {
    for (const respond of responses.splice(0)) respond();
  });
  const { end } = Outgoing.prototype;
  Outgoing.prototype.end = function (this: Outgoing, ...pieces) {
    const respond = () => end.call(this, ...pieces);
    if (pending()) responses.push(respond);
    else respond();
  };
}

/**
 * Makes COMMIT report success `lateMs` before it is done. Returns a function that reports whether one is
 * pending, and calls `onCommitted` when it is done.
 */
function commitLate(lateMs: number, onCommitted = () => {}): () => boolean {
  let inGroup = false;
  let due = false;
  let timer: NodeJS.Timeout | undefined;
  const committed = (statement: { run: () => unknown }) => {
    statement.run();
    onCommitted();
  };
  onPrepare((sql, prepare, database) => {
    const statement = prepare(sql);
    if (sql === 'BEGIN IMMEDIATE') {
      return {
        run() {
          inGroup = true;
          if (!database.inTransaction) statement.run();
        },
      };
    }
    if (sql !== 'COMMIT') return statement;
    const commit = () => {
      timer = undefined;
      // In the middle of a group, the commit waits until the group ends.
      due = inGroup;
      if (!due && database.open) committed(statement);
    };
    return {
      run() {
        inGroup = false;
        if (due) commit();
        else timer ??= setTimeout(commit, lateMs);
      },
    };
  });
  return () => timer !== undefined || due;
}

/** The result of an attempt is stored even if the lease of its delivery was lost. */
function forgetFencing(): void {
  const FENCE = / and "lease_token" = \+\? and "lease_owner" is not null/;
  onPrepare((sql, prepare) => prepare(sql.replace(FENCE, ' and ? is not null')));
}

// The position of `ok` in a result, as `delivery/senders/messages.ts` writes it.
const OK = 5;

/**
 * A failed result comes after its lease has ended and the call was made again, and is stored all the same.
 */
function recordStaleResults(): void {
  forgetFencing();
  if (parentPort === null) return;
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message: string | { results?: readonly (readonly unknown[])[] }) => {
    const results = typeof message === 'object' ? (message.results ?? []) : [];
    if (results.some((row) => row[OK] === false)) setTimeout(() => post(message), STALE_MS);
    else post(message);
  };
}

const DEAF = {
  isOver: false,
  needsNew: false,
  onStart() {},
  onHead() {},
  onBody() {},
  onEnd() {},
  onError() {},
};

/** A call is recorded as successful before it is made. */
async function recordBeforeSend(): Promise<void> {
  // Loaded later, because the pool imports the crash points, and they import this file.
  const { prototype } = (await import('../outbound/pool/connection-pool.ts')).ConnectionPool;
  const { send } = prototype;
  prototype.send = function (this: ConnectionPool, url: URL, exchange: PendingExchange) {
    const { method, bytes } = exchange;
    setTimeout(() => send.call(this, url, { ...DEAF, method, bytes }), TOO_LATE_MS);
    exchange.onStart({ drop() {} }, true);
    exchange.onHead({ status: 200, isHttp10: false, headers: [] });
    exchange.onEnd();
  };
}

/** A job counts as done as soon as a process has claimed it. */
function finishClaimedJobs(): void {
  onPrepare((sql, prepare, database) => {
    const statement = prepare(sql);
    if (!/^with "due" .* update "jobs"/s.test(sql)) return statement;
    const { all } = statement;
    statement.all = (...values: unknown[]) => {
      const rows = all.apply(statement, values);
      database.prepare(`delete from jobs where lease_owner is not null and kind = 'mail'`).run();
      return rows;
    };
    return statement;
  });
}
