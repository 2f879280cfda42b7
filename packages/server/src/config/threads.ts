import { availableParallelism } from 'node:os';
import type { ServerConfig } from './config.ts';

// Each takes about 20 MB; with more of them, storage limits the rate.
const AUTO_MAX = 8;

/** The number of threads that send; with `auto`, one for each core except the main thread's. */
export const countSenders = ({ senders }: Pick<ServerConfig, 'senders'>): number =>
  senders === 'auto' ? Math.min(availableParallelism() - 1, AUTO_MAX) : senders;

// With two cores, the main thread and a sender use both: the thread took over a fifth of the main thread's work, but the rate was no
// higher (measured).
const CORES = 3;

/** Reports whether the sockets have their own thread. The challenges of a certificate authority are answered on the main thread. */
export const hasHttpThread = ({ httpThread, domain }: Pick<ServerConfig, 'httpThread' | 'domain'>): boolean =>
  domain === undefined && (httpThread === 'auto' ? availableParallelism() >= CORES : httpThread === 'on');
