import { readMeta, writeMeta } from '../../db/meta.ts';
import type { Db, Tx } from '../../db/core/schema.ts';

const META_KEY = 'operator';

/** Marks a user as the one with whom the server was set up. */
export const makeOperator = (tx: Tx, userId: string): Promise<void> => writeMeta(tx, META_KEY, userId);

/** Reports whether a user is the one with whom the server was set up. */
export const isOperator = async (db: Db, userId: string): Promise<boolean> =>
  (await readMeta(db, META_KEY)) === userId;
