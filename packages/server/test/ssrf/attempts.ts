import { ERROR_KIND } from '../../src/db/core/columns/codes.ts';
import { idText } from '../../src/db/core/columns/columns.ts';
import { join } from 'node:path';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import type { Resolve } from '../../src/outbound/http-client.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { until } from '../api/support/until.ts';

/** The result of the one attempt to a URL. */
export interface Attempted {
  url: string;
  kind: string | null;
  message: string | null;
  status: number | null;
}

interface AttemptsOptions {
  data: string;
  urls: readonly string[];
  resolve: Resolve;
  /** The number of sender threads. */
  senders: number;
  /** Their program. Default: the server's own. */
  senderProgram?: URL;
  /** Called with the URL of the API before any request. */
  onListening?: (server: RunningServer) => void;
}

// Enough to keep the server busy, few enough that no request waits long.
const CLIENTS = 16;

/**
 * Makes one attempt to each URL, even if the API refuses that URL. Webhooks are created with a URL that the API accepts, and the
 * stored URLs are changed while the server is down, as if an older version, or somebody at the database, had let them in.
 */
export async function attemptAll({
  data,
  urls,
  resolve,
  senders,
  senderProgram,
  onListening,
}: AttemptsOptions): Promise<Attempted[]> {
  const flags = {
    data,
    port: 0,
    logLevel: 'silent',
    synchronous: 'NORMAL',
    rateLimit: 10_000_000,
    senders,
  } as const;
  const config = parseServerConfig(flags, {});
  const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
  const start = async () => {
    const server = await startServer(config, { resolve, ...(senderProgram ? { senderProgram } : {}) });
    onListening?.(server);
    return server;
  };
  const post = async (server: RunningServer, path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };

  const targets = new Map<string, string>();
  {
    await using server = await start();
    const waiting = urls.values();
    const work = async () => {
      for (const url of waiting) {
        const webhook = {
          workspace_id: owner.workspace_id,
          url: 'https://placeholder.example.com/',
          events: ['event.created'],
          secret: 'whsec_test_secret',
        };
        targets.set((await post(server, '/webhooks', webhook)).id, url);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
  }
  const store = openSqlite(join(data, 'hubline.db'), { synchronous: 'NORMAL' });
  try {
    await store.write(async (tx) => {
      for (const [id, url] of targets)
        await tx.updateTable('webhooks').set({ url }).where('id', '=', id).execute();
    });
    await using server = await start();
    await post(server, `/workspaces/${owner.workspace_id}/events`, { type: 'push', payload: {} });
    return await until('an attempt to every URL', async () => {
      const rows = await store.read
        .selectFrom('deliveries')
        .select(['webhook_id', 'last_error_kind', 'last_error_message', 'last_status'])
        .where('attempt_count', '=', 1)
        .execute();
      return (
        rows.length === urls.length &&
        rows.map((row) => ({
          url: targets.get(idText('webhook', row.webhook_id)) ?? '',
          kind: row.last_error_kind === null ? null : ERROR_KIND.name(row.last_error_kind),
          message: row.last_error_message,
          status: row.last_status,
        }))
      );
    });
  } finally {
    await store.close();
  }
}
