import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Awaitable } from '../awaitable.ts';
import type { Db } from '../schema.ts';

type Rows = readonly unknown[];

/** The changes of a statement. */
export interface Changed {
  rows: number;
  /** The `seq` of the row that it inserted. SQLite only. */
  seq: number;
}

/**
 * A statement that is run directly on a connection, if that costs less than Kysely's executor.
 */
export interface DirectStatement {
  all(values: readonly unknown[]): Rows;
  /** The first row, if there is one. */
  first(values: readonly unknown[]): unknown;
  change(values: readonly unknown[]): Changed;
}

/** Prepares SQL to be run directly on a connection. */
export type PrepareDirect = (sql: string) => DirectStatement;

interface DirectRunner {
  prepare: PrepareDirect;
  /** The statements by the number of their query, so that a call looks up neither SQL nor shape. */
  held: (HeldStatement | undefined)[];
}

const runners = new WeakMap<Db, DirectRunner>();

/** Lets queries on `db` run directly. SQLite's driver is synchronous: there is nothing to wait for. */
export function runDirectly(db: Db, prepare: PrepareDirect): void {
  runners.set(db, { prepare, held: [] });
}

/** A value that is filled in when the query runs. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for a value while the query is built. */
export type Placeholder<Parameters> = <Name extends keyof Parameters & string>(
  name: Name,
) => Parameters[Name];

/** Reports whether a value is given. A query may leave out an `undefined` one: it is compiled for each set of given values. */
export type Given<Parameters> = (name: keyof Parameters & string) => boolean;

export type Build<Parameters, Row> = (
  db: Db,
  placeholder: Placeholder<Parameters>,
  given: Given<Parameters>,
) => Compilable<Row>;

export type Run<Parameters, Result> = (db: Db, parameters: Parameters) => Awaitable<Result>;

/**
 * A query that is compiled once. Building and compiling it again costs five times as much as running it (measured):
 * the statements on the path of an event are written with this, and read like all others.
 *
 * @example
 * ```ts
 * const roleOf = prepared<{ user: string }, { role: string }>((db, p) =>
 *   db.selectFrom('members').select('role').where('user_id', '=', p('user')),
 * );
 * ```
 */
export function prepared<Parameters extends object, Row>(
  build: Build<Parameters, Row>,
): Run<Parameters, Row[]> {
  const query = new PreparedQuery(build);
  return (db, parameters) => {
    const runner = runners.get(db);
    if (!runner) return query.execute(db, parameters).then(({ rows }) => rows);
    const { statement, values } = query.on(db, runner, parameters);
    return statement.all(values) as Row[];
  };
}

/** `prepared`, for a query that finds one row or none. */
export function preparedRow<Parameters extends object, Row>(
  build: Build<Parameters, Row>,
): Run<Parameters, Row | undefined> {
  const query = new PreparedQuery(build);
  return (db, parameters) => {
    const runner = runners.get(db);
    if (!runner) return query.execute(db, parameters).then(({ rows }) => rows[0]);
    const { statement, values } = query.on(db, runner, parameters);
    return statement.first(values) as Row | undefined;
  };
}

/**
 * `prepared`, for a statement that changes rows and returns none. It has no RETURNING, for which SQLite
 * copies every page that it changes: an insert into `deliveries` took 20 µs with it and 12 without
 * (measured).
 */
export function preparedChange<Parameters extends object>(
  build: Build<Parameters, unknown>,
): Run<Parameters, Changed> {
  const query = new PreparedQuery(build);
  return (db, parameters) => {
    const runner = runners.get(db);
    if (!runner) return query.execute(db, parameters).then(toChanged);
    const { statement, values } = query.on(db, runner, parameters);
    return statement.change(values);
  };
}

const toChanged = ({ numAffectedRows, insertId }: QueryResult<unknown>): Changed => ({
  rows: Number(numAffectedRows ?? 0),
  seq: Number(insertId ?? 0),
});

let queries = 0;

/** Compiles a query when it is first used, and fills in its parameters. */
class PreparedQuery<Parameters extends object, Row> {
  readonly #number = queries++;
  readonly #build: Build<Parameters, Row>;
  readonly #asksWhatIsGiven: boolean;
  // By dialect (the class of the adapter), then by shape (the names of the given parameters).
  readonly #compiled = new Map<unknown, Map<string, Compiled<Row>>>();

  constructor(build: Build<Parameters, Row>) {
    this.#build = build;
    this.#asksWhatIsGiven = build.length > 2;
  }

  execute(db: Db, parameters: Parameters): Promise<QueryResult<Row>> {
    const compiled = this.#compile(db, parameters);
    return db.executeQuery<Row>({ ...compiled.query, parameters: valuesOf(compiled, parameters) });
  }

  on(
    db: Db,
    { held, prepare }: DirectRunner,
    parameters: Parameters,
  ): { statement: DirectStatement; values: unknown[] } {
    let found = held[this.#number];
    if (!found) {
      const compiled = this.#compile(db, parameters);
      found = { compiled, statement: prepare(compiled.query.sql) };
      // A query that asks what is given has many shapes, and the connection keeps only so many statements.
      if (!this.#asksWhatIsGiven) held[this.#number] = found;
    }
    return { statement: found.statement, values: valuesOf(found.compiled, parameters) };
  }

  #compile(db: Db, parameters: Parameters): Compiled<Row> {
    const dialect = db.getExecutor().adapter.constructor;
    let ofDialect = this.#compiled.get(dialect);
    if (!ofDialect) this.#compiled.set(dialect, (ofDialect = new Map()));
    const shape = this.#asksWhatIsGiven ? shapeOf(parameters) : '';
    let compiled = ofDialect.get(shape);
    if (!compiled) {
      const given: Given<Parameters> = (name) => parameters[name] !== undefined;
      const query = this.#build(db, (name) => new Parameter(name) as never, given).compile();
      const names = query.parameters.map((value) => (value instanceof Parameter ? value.name : null));
      compiled = { query, names };
      ofDialect.set(shape, compiled);
    }
    return compiled;
  }
}

interface Compiled<Row> {
  query: CompiledQuery<Row>;
  /** The parameter behind each value of the query; `null` for a constant. */
  names: readonly (string | null)[];
}

interface HeldStatement {
  compiled: Compiled<unknown>;
  statement: DirectStatement;
}

function valuesOf({ query, names }: Compiled<unknown>, parameters: object): unknown[] {
  const values = query.parameters.slice();
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? null;
    if (name !== null) values[index] = (parameters as Record<string, unknown>)[name];
  }
  return values;
}

function shapeOf(parameters: object): string {
  let shape = '';
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) shape += `${name} `;
  return shape;
}
