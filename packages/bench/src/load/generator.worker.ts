import { connect, type Socket } from 'node:net';
import { nowUs } from '../clock.ts';
import { answerParent } from '../process/worker.ts';

import { batchBody, batchLength, EVENT_BODY, EVENT_BODY_LENGTH } from './event-body.ts';
import { createHttpReader } from './http-reader.ts';
import { encodeMark } from './mark.ts';

/** The target of the requests, which publish events unless the method is GET. */
export interface Target {
  method?: 'GET';
  /** The number of events in a request, as a list. Default: one event, which is the body itself. */
  batch?: number;
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
}

export interface LoadPlan {
  /** The targets of the requests, which take turns. */
  targets: readonly Target[];
  /** Events in all. For targets that take batches, a multiple of their size. */
  events: number;
  /** Connections, each with one request under way. */
  connections: number;
  /** Events per second, sent on time however long the responses take; `null` to send the next one as soon as a response has come. */
  rate: number | null;
  /** Keeps the idempotency keys of this run apart from those of other runs. */
  run: string;
}

export interface LoadResult {
  startedAtUs: number;
  endedAtUs: number;
}

/** Sends every request once. Rejects when any is refused. */
async function run(plan: LoadPlan): Promise<LoadResult> {
  const requests = plan.targets.map(requestText);
  let responses = 0;
  const idle: Connection[] = [];
  const startedAtUs = nowUs();
  const batch = plan.targets[0]?.batch ?? 1;
  const total = Math.ceil(plan.events / batch);
  const gapUs = plan.rate === null ? 0 : (1_000_000 * batch) / plan.rate;
  let sent = 0;
  const allSent = (): boolean => sent >= total;
  const sockets: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;

  await new Promise<void>((resolve, reject) => {
    const sendNext = (connection: Connection): void => {
      const dueUs = plan.rate === null ? nowUs() : Math.round(startedAtUs + sent * gapUs);
      const request = requests[sent % requests.length];
      connection.send(request?.(plan.run, sent, dueUs) ?? '');
      sent += 1;
    };
    const onResponse = (connection: Connection): void => {
      responses += 1;
      if (responses === total) resolve();
      else if (plan.rate === null && !allSent()) sendNext(connection);
      else idle.push(connection);
    };
    for (let index = 0; index < plan.connections; index += 1) {
      const port = plan.targets[index % plan.targets.length]?.port ?? 0;
      const connection = open(port, { onResponse, onError: reject });
      sockets.push(connection.socket);
      idle.push(connection);
    }
    if (plan.rate === null) {
      for (const connection of idle.splice(0, total)) sendNext(connection);
      return;
    }
    timer = setInterval(() => {
      while (!allSent() && idle.length > 0 && startedAtUs + sent * gapUs <= nowUs()) {
        const connection = idle.shift();
        if (connection) sendNext(connection);
      }
      if (allSent()) clearInterval(timer);
    }, 1);
  }).finally(() => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  });
  return { startedAtUs, endedAtUs: nowUs() };
}

type RequestText = (run: string, sequence: number, dueUs: number) => string;

function requestText({ method, batch, port, path, headers }: Target): RequestText {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (method === 'GET') {
    const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`;
    return () => text;
  }
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${lines.join('')}` +
    `Content-Length: ${batch === undefined ? EVENT_BODY_LENGTH : batchLength(batch)}\r\nIdempotency-Key: `;
  if (batch !== undefined) {
    return (run, sequence, dueUs) =>
      `${head}${run}-${sequence}\r\n\r\n${batchBody(batch, sequence * batch, dueUs)}`;
  }
  return (run, sequence, dueUs) =>
    `${head}${run}-${sequence}\r\n\r\n${EVENT_BODY.before}${encodeMark({ sequence, sentAtUs: dueUs })}${EVENT_BODY.after}`;
}

interface Connection {
  socket: Socket;
  send(request: string): void;
}

interface Listeners {
  onResponse(connection: Connection): void;
  onError(error: Error): void;
}

function open(port: number, { onResponse, onError }: Listeners): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const connection: Connection = { socket, send: (request) => void socket.write(request, 'latin1') };
  const read = createHttpReader((head, body) => {
    if (head.startsWith('2', 9)) onResponse(connection);
    else onError(new Error(`A request was refused: ${head.split('\r\n')[0] ?? ''} ${body.toString()}`));
  });
  socket.on('data', read);
  socket.on('error', onError);
  socket.on('close', () =>
    onError(new Error('The server closed a connection that was waiting for a response.')),
  );
  return connection;
}

const methods = { run };
export type GeneratorMethods = typeof methods;
answerParent(methods);
