import { availableParallelism } from 'node:os';
import type { ServerConfig } from './config.ts';

// Each takes some 20 MB; beyond this, storage is what limits the rate.
const AUTO_MAX = 8;

/** The number of threads that send; with `auto`, one for each core except that of the main thread. */
export const countSenders = ({ senders }: Pick<ServerConfig, 'senders'>): number =>
  senders === 'auto' ? Math.min(availableParallelism() - 1, AUTO_MAX) : senders;

// On two cores the main thread and a sender take both: the thread saved the main thread a fifth of its work, and brought no higher rate
// (measured).
const CORES = 3;

/** Reports whether the sockets have their own thread. The checks of a certificate authority are answered on the main thread. */
export const hasHttpThread = ({ httpThread, domain }: Pick<ServerConfig, 'httpThread' | 'domain'>): boolean =>
  domain === undefined && (httpThread === 'auto' ? availableParallelism() >= CORES : httpThread === 'on');
