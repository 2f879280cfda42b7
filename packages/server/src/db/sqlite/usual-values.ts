import { sql } from 'kysely';
import { type Build, type Changed, preparedChange, type Run } from '../core/queries/prepared-query.ts';

/**
 * `preparedChange`, for a statement that mostly has the same values in many columns. A second statement has
 * these usual values as literals, and runs when all of them apply: the driver takes 0.07 µs to bind a number
 * and 0.17 to bind `null` (measured).
 */
export function preparedUsually<Parameters extends object>(
  usual: Partial<Parameters>,
  build: Build<Parameters, unknown>,
): Run<Parameters, Changed> {
  const names = Object.keys(usual) as (keyof Parameters & string)[];
  const withAny = preparedChange(build);
  const withUsual = preparedChange<Parameters>((db, p) =>
    build(
      db,
      (name) => (name in usual ? (sql.lit(usual[name]) as never) : p(name)),
      () => true,
    ),
  );
  return (db, parameters) => {
    for (const name of names) if (parameters[name] !== usual[name]) return withAny(db, parameters);
    return withUsual(db, parameters);
  };
}
