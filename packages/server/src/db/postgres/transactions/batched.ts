import type { Db } from '../../core/schema.ts';
import { runningUnit } from './running-unit.ts';

interface Asked<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

// With more rows, the parameters of a statement cost as much as its work.
const ITEMS_MAX = 1_000;

/**
 * Batches a statement, as a DataLoader does: it runs once for everybody who asks for it at the same time on the same handle. For units that
 * share a transaction, that is when each has gone as far as it can without a result. For requests that only read, it is one turn of the
 * event loop. `run` returns results in the order of its items.
 */
export function batched<Item, Result>(
  run: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
): (db: Db, item: Item) => Promise<Result> {
  const asked = new WeakMap<Db, Asked<Item, Result>[]>();

  async function runAll(db: Db, all: readonly Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        db,
        all.map(({ item }) => item),
      );
      for (const [index, { resolve }] of all.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return (db, item) => {
    // The statement runs on behalf of the first who asks.
    const unit = runningUnit();
    if (unit) unit.wrote = true;
    return new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      const others = asked.get(db);
      if (others && others.length < ITEMS_MAX) return void others.push(one);
      const all = [one];
      asked.set(db, all);
      const send = () => {
        if (asked.get(db) === all) asked.delete(db);
        void runAll(db, all);
      };
      // This runs after all promises that are settled by then, so units that got their results in one batch ask in one batch again.
      if (unit) process.nextTick(send);
      else setImmediate(send);
    });
  };
}
