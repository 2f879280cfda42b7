import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Ask } from '../postgres-cache.ts';

// A notification takes milliseconds.
const NOTIFICATION_MS = 2_000;

/** Reports whether a pooler is in between: it gives its clients other numbers than those of the backends. */
async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

/**
 * Reports whether the connection has its own session. A pooler may give each transaction a different one: then a notification does not
 * reach a client that is between transactions.
 */
export async function isOwnSession(client: pg.Client, askElsewhere: Ask): Promise<boolean> {
  if (!(await isPooled(client))) return true;
  const channel = `hubline_${randomBytes(9).toString('hex')}`;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const hear = (message: pg.Notification) => message.channel === channel && resolve(true);
  client.on('notification', hear);
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.query(`listen ${channel}`);
    // Another connection may take seconds to get. The answer decides for as long as the process runs, so only the notification is timed.
    await askElsewhere('select pg_notify($1, $2)', [channel, '']);
    timer = setTimeout(() => resolve(false), NOTIFICATION_MS);
    return await promise;
  } finally {
    clearTimeout(timer);
    client.off('notification', hear);
    await client.query(`unlisten ${channel}`);
  }
}
