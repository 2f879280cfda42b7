import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { DurableLog } from '../durable-log.ts';
import type { Random } from '../../../random.ts';

/** The server's acknowledgment of an event, as the client recorded it. */
export interface Acknowledgment {
  /** The number in the event. */
  n: number;
  /** The ID of the event. */
  id: string;
  /** True if an earlier request had stored the event already. */
  replayed: boolean;
}

interface PublishersOptions {
  apiKey: string;
  workspaceId: string;
  /** The file for acknowledgments. */
  log: DurableLog;
  random: Random;
  /** The number of events to publish. */
  most: number;
  /** Reports whether so much waits for delivery that clients must pause. */
  crowded(acknowledged: number): boolean;
}

const CLIENTS = 8;
const RETRY_MS = 20;
// One in this many clients that lose their connection gives up: its event may then be stored or not.
const GIVES_UP_ONE_IN = 6;

/**
 * Clients that publish numbered events one after another. Like the SDK, they retry a request without a response under the same
 * idempotency key, on the same server or the next.
 */
export class Publishers {
  /** The IDs of acknowledged events. */
  readonly acknowledged = new Set<string>();
  /** Responses that no client should get. */
  readonly complaints: string[] = [];
  /** Requests that were repeated, by reason: refused with 503, or a closed connection. */
  readonly repeated = { refused: 0, closed: 0 };
  /** The longest time in which nothing was acknowledged. */
  longestPauseMs = 0;
  readonly #options: PublishersOptions;
  #agent = new Agent();
  #server = Promise.withResolvers<string>();
  #served = false;
  #clients: Promise<void>[] = [];
  #running = true;
  #next = 0;
  #lastAt = performance.now();

  constructor(options: PublishersOptions) {
    this.#options = options;
  }

  /** The number of events that clients have tried to publish. */
  get asked(): number {
    return this.#next;
  }

  /** The URL of the server, once there is one. */
  get baseUrl(): Promise<string> {
    return this.#server.promise;
  }

  start(): void {
    this.#lastAt = performance.now();
    for (let client = 0; client < CLIENTS; client += 1) this.#clients.push(this.#work());
  }

  /** Tells the clients that the server is up. */
  serve(baseUrl: string): void {
    this.#served = true;
    this.#server.resolve(baseUrl);
  }

  /** Tells the clients that the server is down: they wait for the next. */
  down(): void {
    // Clients that wait already keep waiting for the same promise.
    if (this.#served) this.#server = Promise.withResolvers<string>();
    this.#served = false;
    void this.#agent.destroy();
    this.#agent = new Agent();
  }

  /** Resolves when every event that was begun is acknowledged or given up. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
    await this.#agent.destroy();
  }

  async #work(): Promise<void> {
    while (this.#running && this.#next < this.#options.most) {
      if (this.#options.crowded(this.acknowledged.size)) {
        await sleep(RETRY_MS);
        continue;
      }
      const n = this.#next;
      this.#next += 1;
      await this.#publish(n);
    }
  }

  async #publish(n: number): Promise<void> {
    for (;;) {
      const baseUrl = await this.#server.promise;
      try {
        const { status, id, replayed, text } = await this.#post(baseUrl, n);
        if (status === 201) {
          await this.#options.log.append({ n, id, replayed } satisfies Acknowledgment);
          this.acknowledged.add(id);
          this.longestPauseMs = Math.max(this.longestPauseMs, performance.now() - this.#lastAt);
          this.#lastAt = performance.now();
          return;
        }
        if (status !== 503) {
          this.complaints.push(`event ${n} got status ${status}: ${text}`);
          return;
        }
        this.repeated.refused += 1;
      } catch (error) {
        // An undici error about a connection has a code; any other error is a bug of the harness.
        if (!(error instanceof Error && 'code' in error)) throw error;
        if (this.#options.random.between(1, GIVES_UP_ONE_IN) === 1) return;
        this.repeated.closed += 1;
      }
      await sleep(RETRY_MS);
    }
  }

  async #post(baseUrl: string, n: number) {
    const { apiKey, workspaceId } = this.#options;
    const response = await request(`${baseUrl}/workspaces/${workspaceId}/events`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `event-${n}`,
      },
      body: JSON.stringify({ type: 'push', payload: { n, text: 'x'.repeat(n % 1_000) } }),
    });
    const text = await response.body.text();
    const { event_id: id = '' } =
      response.statusCode === 201 ? (JSON.parse(text) as { event_id?: string }) : {};
    const replayed = response.headers['idempotency-replayed'] === 'true';
    return { status: response.statusCode, id, replayed, text };
  }
}
