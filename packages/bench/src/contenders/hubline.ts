import { openAttemptCounter } from './attempt-counter.ts';
import type { Contender } from './contender.ts';
import { createHublineData, type HublineOptions, startHubline } from './hubline-server.ts';

/** The real server as users run it, with everything on that is on for them; only the rate limit is raised. */
export const hubline = (options: HublineOptions): Contender => ({
  name: 'hubline',
  missing: () => null,
  share: 1,
  async start({ folder, receiverUrl }) {
    const server = await startHubline(await createHublineData(folder, options), options);
    await server.webhook(receiverUrl);
    const counter = openAttemptCounter(server.database);
    return {
      target: server.events(),
      pids: [server.pid],
      recorded: counter.recorded,
      async [Symbol.asyncDispose]() {
        counter[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
});
