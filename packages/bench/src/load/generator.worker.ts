import { connect, type Socket } from 'node:net';
import { nowUs } from '../clock.ts';
import { answerParent } from '../process/worker.ts';
import { percentile } from '../statistics.ts';
import { batchBody, batchLength, EVENT_BODY, EVENT_BODY_LENGTH } from './event-body.ts';
import { createHttpReader } from './http-reader.ts';
import { encodeMark } from './mark.ts';

/** The target of the requests, which publish events unless the method is GET. */
export interface Target {
  method?: 'GET';
  /** The number of events in a request. Default: one, which is the whole body. */
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
  /** Events per second, sent on time whatever the answers do; `null` to send the next as soon as one is answered. */
  rate: number | null;
  /** Keeps the idempotency keys of this run apart from those of other runs. */
  run: string;
}

export interface LoadResult {
  startedAtUs: number;
  endedAtUs: number;
  /** Milliseconds from when a request was due to its answer. */
  answerP50Ms: number;
  answerP99Ms: number;
}

/** Sends every request once. Rejects when any is refused. */
async function run(plan: LoadPlan): Promise<LoadResult> {
  const requests = plan.targets.map(requestText);
  const answerMs: number[] = [];
  const idle: Connection[] = [];
  const startedAtUs = nowUs();
  const batch = plan.targets[0]?.batch ?? 1;
  const total = Math.ceil(plan.events / batch);
  const gapUs = plan.rate === null ? 0 : (1_000_000 * batch) / plan.rate;
  let sent = 0;
  const allSent = (): boolean => sent >= total;
  const sockets: Socket[] = [];

  await new Promise<void>((resolve, reject) => {
    const sendNext = (connection: Connection): void => {
      const dueUs = plan.rate === null ? nowUs() : Math.round(startedAtUs + sent * gapUs);
      const request = requests[sent % requests.length];
      connection.send(request?.(plan.run, sent, dueUs) ?? '', dueUs);
      sent += 1;
    };
    const onAnswer = (connection: Connection, ms: number): void => {
      answerMs.push(ms);
      if (answerMs.length === total) resolve();
      else if (plan.rate === null && !allSent()) sendNext(connection);
      else idle.push(connection);
    };
    for (let index = 0; index < plan.connections; index += 1) {
      const port = plan.targets[index % plan.targets.length]?.port ?? 0;
      const connection = open(port, { onAnswer, onError: reject });
      sockets.push(connection.socket);
      idle.push(connection);
    }
    if (plan.rate === null) {
      for (const connection of idle.splice(0, total)) sendNext(connection);
      return;
    }
    const timer = setInterval(() => {
      while (!allSent() && idle.length > 0 && startedAtUs + sent * gapUs <= nowUs()) {
        const connection = idle.shift();
        if (connection) sendNext(connection);
      }
      if (allSent()) clearInterval(timer);
    }, 1);
  }).finally(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    startedAtUs,
    endedAtUs: nowUs(),
    answerP50Ms: percentile(answerMs, 50),
    answerP99Ms: percentile(answerMs, 99),
  };
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
  send(request: string, dueUs: number): void;
}

interface Listeners {
  onAnswer(connection: Connection, ms: number): void;
  onError(error: Error): void;
}

function open(port: number, { onAnswer, onError }: Listeners): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let dueUs = 0;
  const connection: Connection = {
    socket,
    send(request, due) {
      dueUs = due;
      socket.write(request, 'latin1');
    },
  };
  const read = createHttpReader((head, body) => {
    if (head.startsWith('2', 9)) onAnswer(connection, (nowUs() - dueUs) / 1_000);
    else onError(new Error(`A request was refused: ${head.split('\r\n')[0] ?? ''} ${body.toString()}`));
  });
  socket.on('data', read);
  socket.on('error', onError);
  socket.on('close', () => onError(new Error('The server closed a connection that waited for its answer.')));
  return connection;
}

const methods = { run };
export type GeneratorMethods = typeof methods;
answerParent(methods);
