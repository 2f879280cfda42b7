/** A sender thread that never answers. */
import { parentPort } from 'node:worker_threads';
import type { FromSender } from '../../../src/delivery/senders/messages.ts';

const port = parentPort;
const say = (message: FromSender) => port?.postMessage(message);
port?.on('message', () => undefined);
say('ready');
