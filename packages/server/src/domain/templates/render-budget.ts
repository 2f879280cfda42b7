import { Context, type Liquid } from 'liquidjs';

// An ordinary notification renders in well under a millisecond.
/** All texts of a set: those that are filled from the same values, such as the forms of a template or the fields of a payload. */
const RENDER_MS = 250;
/** Characters and elements that the filters and outputs of a set may make. */
const MEMORY = 4_194_304;
// One text may take only a part of both, so that a costly one fails before it harms others.
export const TEXT_MS = 100;
const TEXT_MEMORY = 1_048_576;

const budgets = new WeakMap<object, RenderBudget>();

/** The budget of the texts that are filled from these values. */
export function renderBudgetOf(values: object): RenderBudget {
  const budget = budgets.get(values) ?? new RenderBudget();
  budgets.set(values, budget);
  return budget;
}

/** Lets the texts that are filled from these values share the budget of an owner, such as a request. */
export function shareRenderBudget(values: object, owner: object): void {
  budgets.set(values, renderBudgetOf(owner));
}

/** Time and memory for a set of texts. A set that has exceeded them renders nothing more: every further text fails at once. */
class RenderBudget {
  #ms = RENDER_MS;
  #memory = MEMORY;

  /** Parses and fills a text; throws as liquidjs does. */
  render(engine: Liquid, source: string, values: object): string {
    const context = new Context(values, engine.options, { sync: true }, { liquid: engine });
    const time = new Time(Math.min(this.#ms, TEXT_MS));
    const memory = new Memory(Math.min(this.#memory, TEXT_MEMORY));
    Object.assign(context, { renderLimit: time, memoryLimit: memory });
    try {
      time.check();
      if (this.#memory <= 0) memory.use(1);
      return engine.renderSync(engine.parse(source), context) as string;
    } finally {
      this.#memory -= memory.used;
      this.#ms -= time.spent();
    }
  }
}

// The number of nodes that are rendered between two readings of the clock.
const NODES = 8;

/** Counts like the limiter of liquidjs, but in CPU time of this thread, so that no text fails because the machine is busy. */
class Time {
  readonly #limit: number;
  readonly #start = process.threadCpuUsage();
  #nodes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  spent(): number {
    const { user, system } = process.threadCpuUsage(this.#start);
    return (user + system) / 1_000;
  }

  /** Reads the clock: always before a filter, and now and then between nodes, which liquidjs reports. */
  check(now?: number): void {
    if (now !== undefined && (this.#nodes += 1) % NODES !== 0) return;
    if (this.spent() > this.#limit || this.#limit <= 0) throw new Error('template render limit exceeded');
  }
}

/** Counts like the limiter of liquidjs. */
class Memory {
  readonly #limit: number;
  used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  use(count: number): void {
    if (count > 0) this.used += count;
    if (this.used > this.#limit) {
      // A refused text was never made: it uses up the rest, and no more.
      this.used = this.#limit + 1;
      throw new Error('memory alloc limit exceeded');
    }
  }

  check(): void {}
}
