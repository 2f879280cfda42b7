import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { nowUs } from '../clock.ts';
import { answerParent } from '../process/worker.ts';
import { percentile } from '../statistics.ts';
import { createHttpReader } from './http-reader.ts';
import { findMark } from './mark.ts';

/** Arrivals since the last `expect`. */
export interface Received {
  /** Expected calls that have not arrived. */
  missing: number;

  /** The time at which the last new event was complete, on the machine's clock. */
  lastAtUs: number;
  /** Milliseconds from when an event was due to be sent until its call was complete. */
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const RESPONSE = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok');

/** The arrivals to wait for. */
interface Expectation {
  /** Events of the run: their marks count from 0. */
  events: number;
  /** Webhooks; each has its own path. Default 1. */
  hooks?: number;
  /** The first webhook that counts; those before it respond after `hangMs`. Default 0: all count. */
  from?: number;
  hangMs?: number;
  /** Different calls to wait for. Default: every event at every webhook that counts. */
  calls?: number;
}

const servers: Server[] = [];
let seen = new Uint8Array(0);
let latenciesMs: number[] = [];

let lastAtUs = 0;
let expected: Required<Expectation> = { events: 0, hooks: 1, from: 0, hangMs: 0, calls: 0 };
let onFull: (() => void) | null = null;

function recordCall(hook: number, head: string, body: Buffer): void {
  const mark = findMark(body);
  // Calls without a mark are not part of the run. A contender that does not sign would look faster than it is.
  if (!mark || hook < expected.from) return;
  if (!/signature: *\S/i.test(head)) throw new Error('A call came without a signature.');
  const index = (hook - expected.from) * expected.events + mark.sequence;
  if (seen[index] === 1) return;
  seen[index] = 1;
  lastAtUs = nowUs();
  latenciesMs.push((lastAtUs - mark.sentAtUs) / 1_000);
  if (latenciesMs.length === expected.calls) onFull?.();
}

function serve(socket: Socket): void {
  socket.setNoDelay(true);
  const read = createHttpReader((head, body) => {
    const hook = Number(/^POST \/hook\/(\d+) /.exec(head)?.[1]);
    recordCall(hook, head, body);
    if (hook >= expected.from || expected.hangMs === 0) socket.write(RESPONSE);
    else setTimeout(() => socket.write(RESPONSE), expected.hangMs);
  });
  socket.on('data', read);
  // A contender that is stopped breaks off its connections.
  socket.on('error', () => socket.destroy());
}

/** The webhooks of the receiver. */
export interface Listening {
  hooks: number;
  /** The number of ports that they share. */
  ports: number;
  /** Serves HTTPS; each webhook has its own name below this domain, and the certificate is valid for all of them. */
  tls?: { domain: string; cert: string; key: string };
}

/** Opens the ports, and returns the URLs of the webhooks. */
async function listen({ hooks, ports, tls }: Listening): Promise<string[]> {
  while (servers.length < ports) {
    const server = tls ? createTlsServer(tls, serve) : createServer(serve);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
  }
  return Array.from({ length: hooks }, (_, hook) => {
    const address = servers[hook % servers.length]?.address() as AddressInfo;
    const origin = tls ? `https://hook-${hook}.${tls.domain}` : 'http://127.0.0.1';
    return `${origin}:${address.port}/hook/${hook}`;
  });
}

/** Sets the calls to wait for, and forgets earlier ones. */
function expect(plan: Expectation): void {
  const { events, hooks = 1, from = 0, hangMs = 0 } = plan;
  expected = { events, hooks, from, hangMs, calls: plan.calls ?? events * (hooks - from) };
  seen = new Uint8Array(events * (hooks - from));
  latenciesMs = [];
}

/** Waits until every expected call has arrived, at most `withinMs`. Missing calls count as having taken that long. */
async function whenAll({ withinMs }: { withinMs: number }): Promise<Received> {
  let timer: NodeJS.Timeout | undefined;
  if (latenciesMs.length < expected.calls) {
    await new Promise<void>((resolve) => {
      onFull = resolve;
      timer = setTimeout(resolve, withinMs);
    });
  }
  clearTimeout(timer);
  const missing = expected.calls - latenciesMs.length;
  const all = latenciesMs.concat(Array.from({ length: missing }, () => withinMs));
  return {
    missing,
    lastAtUs,
    p50Ms: percentile(all, 50),
    p99Ms: percentile(all, 99),
    maxMs: percentile(all, 100),
  };
}

const methods = { listen, expect, whenAll };
export type ReceiverMethods = typeof methods;
answerParent(methods);
