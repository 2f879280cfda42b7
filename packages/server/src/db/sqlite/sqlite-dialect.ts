import type { Dialect } from '../core/dialect.ts';

/** Units run one after another: there is nothing to lock. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  isDirect: true,
  lock: () => Promise.resolve(),
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
};
