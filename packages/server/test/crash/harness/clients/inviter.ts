import { setTimeout as sleep } from 'node:timers/promises';
import type { DurableLog } from '../durable-log.ts';

/** An invitation that the server has acknowledged: its email must be sent. */
export interface Invited {
  email: string;
}

interface InviterOptions {
  apiKey: string;
  workspaceId: string;
  /** The file for acknowledgments. */
  log: DurableLog;
  /** The URL of the server, once there is one. */
  baseUrl(): Promise<string>;
}

// Often enough that every server sends several emails, but rarely in comparison with its events.
const PAUSE_MS = 100;

/** A client that invites one person after another. Like the SDK, it retries a request without a response under the same idempotency key. */
export class Inviter {
  /** Responses that no client should get. */
  readonly complaints: string[] = [];
  readonly #options: InviterOptions;
  readonly #ended: Promise<void>;
  #asked = 0;
  #running = true;

  constructor(options: InviterOptions) {
    this.#options = options;
    this.#ended = this.#work();
  }

  /** The number of people invited, acknowledged or not. */
  get asked(): number {
    return this.#asked;
  }

  /** Stops when the current invitation is acknowledged. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#ended;
  }

  async #work(): Promise<void> {
    while (this.#running) {
      const n = this.#asked;
      this.#asked += 1;
      while (!(await this.#invite(n))) await sleep(PAUSE_MS);
      await sleep(PAUSE_MS);
    }
  }

  /** Sends one invitation. Reports whether it got a final response. */
  async #invite(n: number): Promise<boolean> {
    const { apiKey, workspaceId, log } = this.#options;
    const email = emailOf(n);
    const baseUrl = await this.#options.baseUrl();
    const result = await fetch(`${baseUrl}/workspaces/${workspaceId}/members/invite`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `invitation-${n}`,
        connection: 'close',
      },
      body: JSON.stringify({ email, role: 'member' }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null);
    if (result === null || result.status === 503) return false;
    if (result.status === 201) await log.append({ email } satisfies Invited);
    else this.complaints.push(`the invitation of ${email} got status ${result.status}: ${result.text}`);
    return true;
  }
}

/** The email address of the nth invitation. */
export const emailOf = (n: number) => `invited-${n}@example.com`;
