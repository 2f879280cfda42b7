import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { answerParent } from '../../process/worker.ts';
import { listenPeer, type PeerEvent, SENDERS } from '../peer-http.ts';

const QUEUE = 'deliveries';
const BATCH = 64;
const IDLE_MS = 20;

/**
 * Fetches and completes batches itself: the library's own `work` polls at most twice a second for each worker, which is
 * slower still.
 */
async function start({ databaseUrl, receiverUrl }: { databaseUrl: string; receiverUrl: string }) {
  const boss = await new PgBoss(databaseUrl).start();
  await boss.createQueue(QUEUE, { retryLimit: 6, retryBackoff: true });
  const deliver = async (id: string, event: PeerEvent): Promise<void> => {
    const status = await SENDERS.undici(receiverUrl, event);
    if (status >= 300) await boss.fail(QUEUE, id, { status });
  };
  const work = async (): Promise<never> => {
    for (;;) {
      const jobs = await boss.fetch<PeerEvent>(QUEUE, { batchSize: BATCH });
      await Promise.all(jobs.map(({ id, data }) => deliver(id, data)));
      if (jobs.length > 0)
        await boss.complete(
          QUEUE,
          jobs.map(({ id }) => id),
          { status: 200 },
        );
      else await sleep(IDLE_MS);
    }
  };
  // Two loops: one fetches and completes while the other sends.
  for (let loop = 0; loop < 2; loop += 1) void work();
  return listenPeer((event) => boss.send(QUEUE, event));
}

const methods = { start };
export type PgbossMethods = typeof methods;
answerParent(methods);
