/** A unit that waits. */
interface Waiting {
  /** True if it goes before others, for at most half of the time. */
  readonly urgent: boolean;
}

/** Units that wait for a transaction: urgent ones and the others. */
export class WaitingUnits<Unit extends Waiting> {
  readonly #urgent: Unit[] = [];
  readonly #others: Unit[] = [];

  get length(): number {
    return this.#urgent.length + this.#others.length;
  }

  add(unit: Unit): void {
    this.#kindOf(unit).push(unit);
  }

  /** Takes out up to `max` units of each kind. */
  take(max: number): Unit[] {
    return [...this.#urgent.splice(0, max), ...this.#others.splice(0, max)];
  }

  /** Puts back units that were taken out and have not run, before the others of their kind. */
  putBack(units: readonly Unit[]): void {
    for (const unit of units.toReversed()) this.#kindOf(unit).unshift(unit);
  }

  #kindOf({ urgent }: Waiting): Unit[] {
    return urgent ? this.#urgent : this.#others;
  }
}

/**
 * The order in which the units of a transaction run. Urgent ones go first, until they have had more time than the others; then the others
 * catch up. So neither kind starves the other.
 */
export class UnitOrder<Unit extends Waiting> {
  readonly #urgent: readonly Unit[];
  readonly #others: readonly Unit[];
  #urgentBegun = 0;
  #othersBegun = 0;
  #urgentLeadMs: number;

  /** `urgentLeadMs` is that of the transaction before. */
  constructor(units: readonly Unit[], urgentLeadMs = 0) {
    this.#urgent = units.filter(({ urgent }) => urgent);
    this.#others = units.filter(({ urgent }) => !urgent);
    this.#urgentLeadMs = this.#areBoth ? urgentLeadMs : 0;
  }

  /** The time of urgent units minus that of the others, in milliseconds. It counts only while both kinds wait. */
  get urgentLeadMs(): number {
    return this.#areBoth ? this.#urgentLeadMs : 0;
  }

  /** The next unit to run; `undefined` at the end. */
  next(): Unit | undefined {
    const urgent = this.#urgent[this.#urgentBegun];
    const other = this.#others[this.#othersBegun];
    if (urgent && (this.#urgentLeadMs <= 0 || !other)) {
      this.#urgentBegun += 1;
      return urgent;
    }
    if (other) this.#othersBegun += 1;
    return other;
  }

  get #areBoth(): boolean {
    return this.#urgent.length > 0 && this.#others.length > 0;
  }

  /** Notes how long a unit has run, in milliseconds. */
  spend({ urgent }: Unit, ms: number): void {
    this.#urgentLeadMs += urgent ? ms : -ms;
  }
}
