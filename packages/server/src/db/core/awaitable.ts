/**
 * A result to `await`: a value from SQLite, a promise from PostgreSQL. A needless promise costs memory and time.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Calls `next` with a result: at once if it is a value, later if it is a promise. */
export const andThen = <Value, Result>(
  result: Awaitable<Value>,
  next: (value: Value) => Result,
): Awaitable<Awaited<Result>> =>
  (result instanceof Promise ? result.then(next) : next(result)) as Awaitable<Awaited<Result>>;
