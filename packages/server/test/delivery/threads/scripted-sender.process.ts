/**
 * A sender thread that calls nobody. For a URL that ends in `/respond`, its result is its own number; it dies on `/die`, and
 * holds all other calls.
 */
import { parentPort, threadId } from 'node:worker_threads';
import type { CallResult } from '../../../src/delivery/senders/call.ts';
import {
  type FromSender,
  toCall,
  type ToSender,
  toResultRow,
} from '../../../src/delivery/senders/messages.ts';

const RESULT: CallResult = {
  durationMs: 1,
  response: { status: 200, headers: {}, body: String(threadId) },
  error: null,
  retryAfter: null,
  ok: true,
  localFailure: false,
};

const port = parentPort;
const say = (message: FromSender) => port?.postMessage(message);
port?.on('message', (message: ToSender) => {
  if (message === 'destroy') return say('destroyed');
  if (!('calls' in message)) return;
  for (const row of message.calls) {
    const { url } = toCall(row);
    if (url.endsWith('/die')) throw new Error('this sender dies');
    if (url.endsWith('/respond')) say({ results: [toResultRow(row[0], RESULT)] });
  }
});
say('ready');
