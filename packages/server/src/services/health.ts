import { sql } from 'kysely';
import type { Deps } from '../context.ts';
import { writeMeta } from '../db/meta.ts';

/** Whether the server can do its work: the database answers, and takes a write. */
export async function isReady(deps: Pick<Deps, 'store' | 'clock' | 'log'>): Promise<boolean> {
  try {
    await sql`select 1`.execute(deps.store.read);
    await deps.store.write((tx) => writeMeta(tx, 'last_probe', deps.clock().toISOString()));
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, 'the readiness probe failed');
    return false;
  }
}
