import type { Connection } from './connection.ts';
import type { Gate } from './gate.ts';
import { ABORTED, type Ended, Transaction, type Unit } from './transaction.ts';

interface Queued {
  workspaceId: string;
  unit: Unit<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  /** Refuses the unit when it has waited too long. */
  deadline: NodeJS.Timeout;
}

interface Options {
  gate: Gate;
  connect: () => Promise<Connection>;
  /** The most groups at once, each on a connection. */
  groupsMax: number;
  /** The time that the units of a group may take without a query, in milliseconds. */
  groupMs: number;
  /** The pause after a group that took `tookMs`, both in milliseconds. */
  pauseAfter: (tookMs: number) => number;
  /** Called with the number of units that shared a commit. */
  onCommit?: ((units: number) => void) | undefined;
}

// Units of a group hold all their rows in memory at once: a thousand for an event to a thousand webhooks.
const GROUP_MAX = 50;

/**
 * Group commit for units that add to a workspace: waiting units share a transaction, its locks and its flush, and run side by side, so that
 * their inserts are sent together (`batched`). While a group runs, further units of its workspaces wait here, without a connection, and
 * form the next group. At the gate, a workspace waits once for all of its units, among the other transactions that lock it. As soon as it
 * has entered, it is in the next group.
 */
export class GroupQueue {
  readonly #options: Options;
  #queued: Queued[] = [];
  /** The workspaces whose turn at the gate has not come. */
  readonly #waiting = new Set<string>();
  /** The workspaces whose turn has come, for the next group. */
  readonly #entered = new Set<string>();
  #groups = 0;
  #scheduled = false;
  #pausedUntil = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  add<Result>(workspaceId: string, unit: Unit<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const deadline = setTimeout(() => this.#refuse(queued), this.#options.gate.patienceMs);
      const queued: Queued = { workspaceId, unit, resolve, reject, deadline };
      this.#queued.push(queued);
      this.#schedule();
    });
  }

  #refuse(queued: Queued): void {
    this.#queued.splice(this.#queued.indexOf(queued), 1);
    queued.reject(this.#options.gate.refusal(queued.workspaceId));
    this.#leaveUnwanted(queued.workspaceId);
  }

  /** Lets the units of the same turn of the event loop join the group. */
  #schedule(): void {
    if (this.#scheduled || this.#groups >= this.#options.groupsMax) return;
    this.#scheduled = true;
    const start = () => {
      this.#scheduled = false;
      this.#start();
    };
    const pauseMs = this.#pausedUntil - performance.now();
    if (pauseMs > 0) setTimeout(start, pauseMs);
    else setImmediate(start);
  }

  #start(): void {
    while (this.#groups < this.#options.groupsMax) {
      const { group, workspaces } = this.#take();
      if (group.length === 0) return;
      void this.#run(group, workspaces);
    }
  }

  /** The next units whose workspaces are free, in the order in which they came. */
  #take(): { group: Queued[]; workspaces: Set<string> } {
    const group: Queued[] = [];
    const rest: Queued[] = [];
    const workspaces = new Set<string>();
    for (const queued of this.#queued) {
      const { workspaceId: id, deadline } = queued;
      const isFree = group.length < GROUP_MAX && (workspaces.has(id) || this.#enter(id));
      (isFree ? group : rest).push(queued);
      if (!isFree) continue;
      workspaces.add(id);
      clearTimeout(deadline);
    }
    this.#queued = rest;
    return { group, workspaces };
  }

  /** Enters a workspace. If another transaction is in, the workspace gets its turn at the gate later, and is then in the next group. */
  #enter(id: string): boolean {
    const { gate } = this.#options;
    if (this.#entered.delete(id)) return true;
    if (this.#waiting.has(id)) return false;
    if (gate.tryEnter(id)) return true;
    this.#waiting.add(id);
    gate.enterInTurn(id, () => {
      this.#waiting.delete(id);
      this.#entered.add(id);
      this.#leaveUnwanted(id);
      this.#schedule();
    });
    return false;
  }

  /** Leaves a workspace that no unit is waiting for anymore. */
  #leaveUnwanted(id: string): void {
    const isWanted = this.#queued.some(({ workspaceId }) => workspaceId === id);
    if (!isWanted && this.#entered.delete(id)) this.#options.gate.leave(id);
  }

  async #run(group: readonly Queued[], workspaces: Set<string>): Promise<void> {
    this.#groups += 1;
    const begunAt = performance.now();
    // The next group requests the locks while this one is being flushed, and gets them as soon as that is done.
    await this.#commit(group, workspaces, () => this.#leave(workspaces));
    const endedAt = performance.now();
    this.#pausedUntil = endedAt + this.#options.pauseAfter(endedAt - begunAt);
    this.#groups -= 1;
    this.#leave(workspaces);
    if (this.#pausedUntil > endedAt) this.#schedule();
    else this.#start();
  }

  /**
   * Commits a group and settles its units. When one fails late, all of them run again, each in its own transaction: meanwhile the group
   * keeps its workspaces. `onSent` is called when the commit is sent.
   */
  async #commit(group: readonly Queued[], workspaces: Set<string>, onSent = () => {}): Promise<void> {
    const connection = await this.#connect(group);
    if (!connection) return;
    let broken = true;
    let isLate = false;
    try {
      const pass = { gate: this.#options.gate, entered: workspaces };
      const transaction = await Transaction.beginLocked(connection, pass);
      const ended = await inTime(Promise.all(group.map(({ unit }) => transaction.run(unit))), {
        ms: this.#options.groupMs,
        queries: () => connection.queries,
      });
      isLate = connection.hasFailed || ended.some((one) => !one.ok && one.late);
      if (isLate) await transaction.rollBack();
      else await transaction.commit(onSent);
      broken = false;
      // Each of them would wait as long for the same lock, one after another.
      if (connection.locked) throw connection.locked;
      if (isLate && group.length === 1) throw failureOf(ended);
      if (!isLate) this.#settle(group, ended);
    } catch (error) {
      // This also applies when nobody knows whether the commit happened: then nothing may run again.
      for (const { reject } of group) reject(error);
      return;
    } finally {
      connection.release({ broken });
    }
    if (isLate) for (const one of group) await this.#commit([one], new Set([one.workspaceId]));
  }

  #leave(workspaces: Set<string>): void {
    for (const id of workspaces) this.#options.gate.leave(id);
    workspaces.clear();
  }

  #settle(group: readonly Queued[], ended: readonly Ended[]): void {
    for (const [index, { resolve, reject }] of group.entries()) {
      const one = ended[index];
      if (one?.ok) resolve(one.value as never);
      else reject(one?.error);
    }
    this.#options.onCommit?.(group.length);
  }

  async #connect(group: readonly Queued[]): Promise<Connection | undefined> {
    try {
      return await this.#options.connect();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return undefined;
    }
  }
}

/**
 * Gives up a group if a unit waits for something other than its `tx`: all others would wait with it. As long as the group makes queries, no
 * unit is doing that.
 */
async function inTime<Result>(
  units: Promise<Result>,
  { ms, queries }: { ms: number; queries: () => number },
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const refuse = () =>
    reject(new Error(`A unit of Store.write awaited something other than its tx for ${ms} ms.`));
  let seen = queries();
  const look = () => {
    // A process that was frozen learns in the next turn of its event loop that its connection has ended, and reports that instead.
    if (queries() === seen) return void setImmediate(refuse);
    seen = queries();
    timer = setTimeout(look, ms);
  };
  let timer = setTimeout(look, ms);
  try {
    return await Promise.race([units, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The reason why a unit that ran alone was rolled back. */
function failureOf([ended]: readonly Ended[]): unknown {
  return ended?.ok === false ? ended.error : new Error(ABORTED);
}
