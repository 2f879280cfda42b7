import { Worker } from '../process/worker.ts';
import type { BullmqMethods } from './workers/bullmq.worker.ts';
import type { Contender } from './contender.ts';
import type { Sender } from './peer-http.ts';
import { peerTarget } from './peer-target.ts';
import { type Fsync, redisMissing, startRedis } from './redis.ts';

/**
 * BullMQ on Redis. With `everysec` a power cut may lose the events of the last second; with `always` an accepted event is on disk, as with
 * every other contender.
 */
export const bullmq = (sender: Sender, fsync: Fsync = 'everysec'): Contender => ({
  name: fsync === 'always' ? `bullmq_${sender}_always` : `bullmq_${sender}`,
  missing: redisMissing,
  share: 1,
  async start({ folder, receiverUrl }) {
    const redis = await startRedis(folder, fsync);
    const worker = new Worker<BullmqMethods>(new URL('workers/bullmq.worker.ts', import.meta.url));
    const port = await worker.call('start', { redisPort: redis.port, receiverUrl, sender });
    return {
      target: peerTarget(port),
      pids: [worker.pid, redis.pid],
      recorded: () => redis.client.zcard('bull:deliveries:completed'),
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await redis[Symbol.asyncDispose]();
      },
    };
  },
});
