import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './schema.ts';

type Rows = readonly unknown[];

/** Runs SQL straight on a connection, where that costs less than the way through Kysely's executor. */
export type DirectRunner = (sql: string, parameters: readonly unknown[]) => Rows;

const runners = new WeakMap<Db, DirectRunner>();

/** Tells that queries on `db` can be run directly. SQLite's driver is synchronous: there is nothing to wait for. */
export function runDirectly(db: Db, runner: DirectRunner): void {
  runners.set(db, runner);
}

/** Whether queries on `db` are run directly: then many small statements cost less than a large one. */
export function runsDirectly(db: Db): boolean {
  return runners.has(db);
}

/** A value that is filled in when the query runs. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for a value while the query is written down. */
export type Place<Parameters> = <Name extends keyof Parameters & string>(name: Name) => Parameters[Name];

/**
 * A query that is compiled once. Building and compiling it anew costs five times as much as running it (engine.md,
 * measured): the statements that every event passes are written with this, and read like all others.
 *
 * @example
 * ```ts
 * const roleOf = hot<{ user: string }, { role: string }>((db, p) =>
 *   db.selectFrom('members').select('role').where('user_id', '=', p('user')),
 * );
 * ```
 */
export function hot<Parameters extends object, Row>(
  build: (db: Db, place: Place<Parameters>) => Compilable<Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  // By the class of the adapter, that is by dialect: both are compiled from the same lines.
  const compiled = new Map<unknown, CompiledQuery<Row>>();

  return async (db, parameters) => {
    const dialect = db.getExecutor().adapter.constructor;
    let query = compiled.get(dialect);
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile();
      compiled.set(dialect, query);
    }
    const values = query.parameters.map((value) =>
      value instanceof Parameter ? parameters[value.name as keyof Parameters] : value,
    );
    const run = runners.get(db);
    if (run) return run(query.sql, values) as Row[];
    const result = await db.executeQuery<Row>({ ...query, parameters: values });
    return result.rows;
  };
}
