import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response to one request. */
export type Step =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Closes the connection without a response. */
  | 'reset'
  /** Never responds. */
  | 'hang'
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The time at which it arrived, in milliseconds on the client's clock. */
  readonly at: number;
}

/** A server on a free port that answers each request with the next step; the last step is repeated. */
export class ScriptedServer implements AsyncDisposable {
  readonly requests: Received[] = [];
  readonly #steps: Step[];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** Requests that are not finished, and whose connection is still open. */
  underWay = 0;

  constructor(steps: Step[]) {
    this.#steps = steps;
  }

  /** Milliseconds between one request and the next. */
  get waits(): number[] {
    return this.requests.slice(1).map(({ at }, index) => at - (this.requests[index]?.at ?? at));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseURL(): string {
    return `${this.origin}/v1`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const at = performance.now();
    this.underWay++;
    response.on('close', () => this.underWay--);
    const step = this.#steps[Math.min(this.requests.length, this.#steps.length - 1)] ?? 'hang';
    this.requests.push({ method, url, headers, at, body: await text(request) });
    if (step === 'hang') return;
    if (step === 'reset') return void request.socket.destroy();
    if (typeof step === 'function') return step(response, request);
    const { status, headers: sent = {}, body } = step;
    response.writeHead(status, sent);
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

/** Starts a {@link ScriptedServer}. */
export async function scripted(...steps: Step[]): Promise<ScriptedServer> {
  const server = new ScriptedServer(steps);
  await server.listen();
  return server;
}

/** Waits until `condition` holds; fails after ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  // `hrtime` and `setImmediate` are not faked.
  const deadline = process.hrtime.bigint() + 10_000_000_000n;
  while (!condition()) {
    if (process.hrtime.bigint() > deadline)
      throw new Error(`Still not so after 10 s: ${condition.toString()}`);
    await new Promise(setImmediate);
  }
}
