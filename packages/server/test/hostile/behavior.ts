import type { AddressInfo, Server, Socket } from 'node:net';
import { rawServer } from '../../src/outbound/receiver.fixture.ts';

/** A running receiver. */
export interface HostileReceiver {
  url: string;
  connections: () => number;
  stop: () => Promise<void>;
}

/** The expected first attempt of a delivery, and the expected delivery. */
export interface Outcome {
  /** The recorded status. Absent: there was no usable response. */
  status?: number;
  /** The recorded body. Default: the body as sent. */
  body?: string | RegExp;
  /** The recorded error, by kind and message. */
  error?: readonly [kind: string | RegExp, message: string | RegExp];
  /** The delay of the next attempt. Default 5 s, the first of the schedule. A 2xx has none. */
  retryMs?: number;
  /** The webhook is disabled, and the delivery waits until it is enabled. */
  disabled?: true;
  /** The number of connections to the receiver. Default 1. */
  connections?: number;
}

/**
 * The time that an attempt may take. `short` for receivers that never respond; `medium` for those whose response begins and never
 * ends, with time for it to begin on a busy machine; `long`, which must not be reached, for all others.
 */
export type Patience = 'short' | 'medium' | 'long';

export const DEADLINE_MS: Record<Patience, number> = { short: 3_000, medium: 4_000, long: 20_000 };

/** A row of the table. */
export interface Behavior {
  name: string;
  patience: Patience;
  start: () => Promise<HostileReceiver>;
  outcome: Outcome;
}

/** Starts a server on the loopback. `scheme` and `host` are those of its URL. */
export async function serve(
  server: Server,
  { scheme = 'http', host = '127.0.0.1' } = {},
): Promise<HostileReceiver> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${scheme}://${host}:${(server.address() as AddressInfo).port}/hook`,
    connections: () => connections,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A receiver that reads the request and then does something. */
export function raw(
  name: string,
  patience: Patience,
  onRequest: (socket: Socket, count: number) => void,
): (outcome: Outcome) => Behavior {
  return (outcome) => ({ name, patience, start: () => serve(rawServer(onRequest)), outcome });
}

/** A receiver that reads the request, sends exactly this response, and closes. */
export function says(name: string, response: string | Buffer, outcome: Outcome): Behavior {
  return raw(name, 'long', (socket) => socket.end(response))(outcome);
}

/** A status line and headers. */
export const head = (line: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${line}`, ...headers, '', ''].join('\r\n');

/** A text, followed by bytes. */
export const bytes = (text: string, ...body: Buffer[]): Buffer => Buffer.concat([Buffer.from(text), ...body]);

/** Writes again and again until the other side is gone. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other side reads. */
export function flood(socket: Socket, chunk: Buffer): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pump);
  pump();
}

/** Ignores errors of a socket, which are expected when the other side hangs up. */
export const ignoreErrors = (socket: Socket): Socket => socket.on('error', () => undefined);

/** The error for a response that the HTTP parser rejects. */
export const notHttp = (reason: string) => ['protocol', `the response is not HTTP/1.1: ${reason}`] as const;
