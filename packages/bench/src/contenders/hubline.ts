import SQLite from 'better-sqlite3';
import type { Contender } from './contender.ts';
import { createHubline, type HublineOptions } from './hubline-server.ts';

/** The real server as users run it, with everything on that is on for them; only the rate limit is raised. */
export const hubline = (options: HublineOptions): Contender => ({
  name: 'hubline',
  missing: () => null,
  share: 1,
  async start({ folder, receiverUrl }) {
    const server = await createHubline(folder, options);
    const { workspaceId, apiKey } = server;
    await server.post('/webhooks', {
      url: receiverUrl,
      events: ['*'],
      workspace_id: workspaceId,
      secret: 'bench',
    });
    const db = new SQLite(server.database, { readonly: true });
    // An attempt and its delivery's state are one transaction. Counting every delivery would be the benchmark's own load.
    const count = db.prepare('select count(*) from attempts where response_status = 200').pluck();
    return {
      target: {
        port: server.port,
        path: `/v1/workspaces/${workspaceId}/events`,
        headers: { Authorization: `Bearer ${apiKey}` },
      },
      pids: [server.pid],
      recorded: async () => Number(count.get()),
      async [Symbol.asyncDispose]() {
        db.close();
        await server[Symbol.asyncDispose]();
      },
    };
  },
});
