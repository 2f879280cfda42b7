/** The program of a sender thread. It signs calls, checks addresses, connects, and reads responses, so that the main thread need not. */
import { parentPort, workerData } from 'node:worker_threads';
import { chaos } from '#chaos';
import type { Resolve, ResolvedAddress } from '../../outbound/http-client.ts';
import type { CallResult } from './call.ts';
import { LocalSender } from './local-sender.ts';
import {
  type FromSender,
  type ResultRow,
  type ThreadSettings,
  toCall,
  type ToSender,
  toResultRow,
} from './messages.ts';

const port = parentPort;
if (!port) throw new Error('A sender runs in its own thread.');
const post = (message: FromSender) => port.postMessage(message);

const asked = new Map<string, PromiseWithResolvers<readonly ResolvedAddress[]>>();
/** The main thread looks up the names of all threads, because they share the system's few lookups. */
const resolve: Resolve = (name) => {
  const before = asked.get(name);
  if (before) return before.promise;
  const resolution = Promise.withResolvers<readonly ResolvedAddress[]>();
  asked.set(name, resolution);
  post({ lookUp: name });
  return resolution.promise;
};

const sender = new LocalSender({ ...(workerData as ThreadSettings), resolve });

let results: ResultRow[] = [];
/** Sends a result to the main thread, together with the others of this turn of the event loop. */
function report(id: number, result: CallResult): void {
  if (results.push(toResultRow(id, result)) > 1) return;
  setImmediate(() => {
    post({ results });
    results = [];
  });
}

port.on('message', (message: ToSender) => {
  if (message === 'destroy') {
    // The results of the calls that it ended are sent first.
    void sender.destroy().then(() => setImmediate(() => setImmediate(() => post('destroyed'))));
  } else if ('calls' in message) {
    chaos.reach('sender.received');
    for (const row of message.calls) void sender.send(toCall(row)).then((result) => report(row[0], result));
  } else {
    const resolution = asked.get(message.name);
    asked.delete(message.name);
    if ('addresses' in message) resolution?.resolve(message.addresses);
    else resolution?.reject(Object.assign(new Error(message.message), { code: message.code }));
  }
});
post('ready');
