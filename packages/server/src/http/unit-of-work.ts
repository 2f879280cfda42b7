import type { Context } from '../context.ts';

/** What a request may do after its commit, or when a unit is rolled back. */
type Effects = Pick<Context, 'afterCommit' | 'afterRollback'>;
type Door = Effects & Pick<Context, 'write'>;

/** Something to do, and what it is, for the log. */
type Effect = readonly [what: string, run: () => void | Promise<void>];

interface UnitOfWork {
  write: Context['write'];
  /** Is told of an effect that failed. */
  onFailure: (error: unknown, what: string) => void;
}

/**
 * A door for writes, with the effects of what goes through it. An effect that fails changes neither the answer, because what it
 * follows is committed, nor the other effects.
 */
export function unitOfWork({ write, onFailure }: UnitOfWork): Door {
  const committed: Effect[] = [];
  const rolledBack: Effect[] = [];

  /** Runs what was put down, in its order, and does not wait for what takes longer. */
  function runAll(effects: Effect[]): void {
    for (const effect of effects.splice(0)) void run(effect);
  }
  async function run([what, effect]: Effect): Promise<void> {
    try {
      await effect();
    } catch (error) {
      onFailure(error, what);
    }
  }
  function rollBack(): void {
    committed.length = 0;
    runAll(rolledBack);
  }

  return {
    afterCommit: (what, effect) => void committed.push([what, effect]),
    afterRollback: (what, effect) => void rolledBack.push([what, effect]),
    async write(unit) {
      let result;
      try {
        result = await write((tx) => {
          // It may run again.
          rollBack();
          return unit(tx);
        });
      } catch (error) {
        rollBack();
        throw error;
      }
      rolledBack.length = 0;
      runAll(committed);
      return result;
    },
  };
}
