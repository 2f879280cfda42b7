import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { nowUs } from '../clock.ts';
import { answerParent } from '../process/worker.ts';
import { percentile } from '../statistics.ts';
import { createHttpReader } from './http-reader.ts';
import { findMark } from './mark.ts';

/** What has arrived since the last `expect`. */
export interface Received {
  /** Different events. */
  events: number;
  /** Calls beyond the first of an event. */
  duplicates: number;
  /** When the last new event was complete, on the machine's clock. */
  lastAtUs: number;
  /** Milliseconds from when an event was due to be sent until its call was complete. */
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok');

const servers: Server[] = [];
let seen = new Uint8Array(0);
let latenciesMs: number[] = [];
let duplicates = 0;
let lastAtUs = 0;
let onFull: (() => void) | null = null;

function note(head: string, body: Buffer): void {
  const mark = findMark(body);
  // Calls without a mark are none of ours; those without a signature would make the sender look faster than it is.
  if (!mark) return;
  if (!/signature: *\S/i.test(head)) throw new Error('A call came without a signature.');
  if (seen[mark.sequence] === 1) {
    duplicates += 1;
    return;
  }
  seen[mark.sequence] = 1;
  lastAtUs = nowUs();
  latenciesMs.push((lastAtUs - mark.sentAtUs) / 1_000);
  if (latenciesMs.length === seen.length) onFull?.();
}

function serve(socket: Socket): void {
  socket.setNoDelay(true);
  const read = createHttpReader((head, body) => {
    note(head, body);
    socket.write(ANSWER);
  });
  socket.on('data', read);
  // A contender that is stopped breaks its connections off.
  socket.on('error', () => socket.destroy());
}

async function listen({ ports }: { ports: number }): Promise<string[]> {
  const urls: string[] = [];
  for (let index = 0; index < ports; index += 1) {
    const server = createServer(serve);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }
  return urls;
}

/** Forgets what came before. */
function expect({ events }: { events: number }): void {
  seen = new Uint8Array(events);
  latenciesMs = [];
  duplicates = 0;
}

/** Waits until every expected event has arrived. Rejects with how many have not when that takes too long. */
async function whenAll({ withinMs }: { withinMs: number }): Promise<Received> {
  if (latenciesMs.length < seen.length) {
    await new Promise<void>((resolve, reject) => {
      const late = () =>
        reject(new Error(`${latenciesMs.length} of ${seen.length} events arrived in ${withinMs} ms.`));
      const timer = setTimeout(late, withinMs);
      onFull = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return {
    events: latenciesMs.length,
    duplicates,
    lastAtUs,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    maxMs: percentile(latenciesMs, 100),
  };
}

const methods = { listen, expect, whenAll };
export type ReceiverMethods = typeof methods;
answerParent(methods);
