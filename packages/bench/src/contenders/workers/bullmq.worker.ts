import { Queue, Worker as JobWorker } from 'bullmq';
import { Redis } from 'ioredis';
import { answerParent } from '../../process/worker.ts';
import { listenPeer, type PeerEvent, type Sender, SENDERS } from '../peer-http.ts';

interface Options {
  redisPort: number;
  receiverUrl: string;
  sender: Sender;
}

const CONCURRENCY = 64;

/** Enqueues and processes incoming events, with the settings of BullMQ's documentation. The result stays with the job. */
async function start({ redisPort, receiverUrl, sender }: Options): Promise<number> {
  const connect = () => new Redis({ port: redisPort, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new Queue<PeerEvent>('deliveries', { connection: connect() });
  const worker = new JobWorker<PeerEvent>(
    queue.name,
    async (job) => {
      const status = await SENDERS[sender](receiverUrl, job.data);
      if (status >= 300) throw new Error(`The receiver returned ${status}.`);
      return { status };
    },
    { connection: connect(), concurrency: CONCURRENCY },
  );
  await worker.waitUntilReady();
  return listenPeer((event) =>
    queue.add('deliver', event, { attempts: 6, backoff: { type: 'exponential' } }),
  );
}

const methods = { start };
export type BullmqMethods = typeof methods;
answerParent(methods);
