import type { Context } from './context.ts';

/** Writes in a transaction, and collects effects to run after its commit. */
type UnitOfWork = Pick<Context, 'write' | 'afterCommit'>;

/** A function to run, and its name for the log. */
type Effect = readonly [what: string, run: () => void | Promise<void>];

interface UnitOfWorkOptions {
  write: Context['write'];
  /** Called with the error of an effect that failed. */
  onFailure: (error: unknown, what: string) => void;
}

/**
 * Makes a unit of work. An effect that fails changes neither the result of the write, which is committed, nor the other
 * effects.
 */
export function unitOfWork({ write, onFailure }: UnitOfWorkOptions): UnitOfWork {
  const effects: Effect[] = [];

  // Not an async function: an event has four effects, and most have nothing to wait for.
  function run([what, effect]: Effect): void {
    try {
      effect()?.catch((error: unknown) => onFailure(error, what));
    } catch (error) {
      onFailure(error, what);
    }
  }

  return {
    afterCommit: (what, effect) => void effects.push([what, effect]),
    async write(unit, options) {
      const result = await write((tx) => {
        // The unit may run a second time: the effects of its first run are dropped.
        effects.length = 0;
        return unit(tx);
      }, options);
      // In order, without waiting for slow ones.
      for (const effect of effects.splice(0)) run(effect);
      return result;
    },
  };
}
