/** Something that waits for its turn. */
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
 * The order in which the units of a transaction run: an urgent one while urgent units have had no more time than the others. So neither kind
 * can stop the other.
 */
export class UnitTurns<Unit extends Waiting> {
  readonly #urgent: readonly Unit[];
  readonly #others: readonly Unit[];
  #urgentBegun = 0;
  #othersBegun = 0;
  #lead: number;

  /** `lead` is that of the transaction before. */
  constructor(units: readonly Unit[], lead = 0) {
    this.#urgent = units.filter(({ urgent }) => urgent);
    this.#others = units.filter(({ urgent }) => !urgent);
    this.#lead = this.#areBoth ? lead : 0;
  }

  /** The time that urgent units have taken while others waited, minus that of the others, in milliseconds. */
  get lead(): number {
    return this.#areBoth ? this.#lead : 0;
  }

  /** The next unit to run; `undefined` at the end. */
  next(): Unit | undefined {
    const urgent = this.#urgent[this.#urgentBegun];
    const other = this.#others[this.#othersBegun];
    if (urgent && (this.#lead <= 0 || !other)) {
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
    this.#lead += urgent ? ms : -ms;
  }
}
