import { currentUnit, UnitRun } from '../../core/store.ts';
import type { Gate } from './gate.ts';

/** The locks whose gate a unit has passed. */
export interface GatePass {
  gate: Gate;
  entered: Set<string>;
}

/** A unit that runs on a connection. */
export class RunningUnit extends UnitRun {
  /** The only connection that may run its queries. */
  readonly connection: object;
  /** The workspaces that its transaction locked at the beginning; `null` if it locks as it goes. */
  readonly locked: ReadonlySet<string> | null;
  wrote = false;
  ended = false;
  /** The lock that it waits for at the gate before it runs again. */
  waitsFor: string | null = null;
  readonly #pass: GatePass;

  constructor(connection: object, { locked, pass }: { locked: ReadonlySet<string> | null; pass: GatePass }) {
    super();
    this.connection = connection;
    this.locked = locked;
    this.#pass = pass;
  }

  /** Passes the gate of a lock. Throws if another unit has it, so that the connection can be given back. */
  enter(name: string): void {
    const { gate, entered } = this.#pass;
    // A unit that has a lock requests the next one from the database. If it waited here for a unit that waits there, neither would end.
    if (entered.has(name) || (entered.size > 0 && !gate.tryEnter(name))) return;
    if (entered.size === 0 && !gate.tryEnter(name)) {
      this.waitsFor = name;
      throw new Error(`The unit waits for the lock of ${name}, and runs again.`);
    }
    entered.add(name);
  }
}

/** The unit that the running code belongs to, if it is one of PostgreSQL. */
export function runningUnit(): RunningUnit | undefined {
  const unit = currentUnit.getStore();
  return unit instanceof RunningUnit ? unit : undefined;
}
