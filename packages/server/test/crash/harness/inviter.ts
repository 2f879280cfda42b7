import { setTimeout as sleep } from 'node:timers/promises';
import type { DurableLog } from './durable-log.ts';

/** An invitation that the server has answered: its mail must go out. */
export interface Invited {
  email: string;
}

interface InviterOptions {
  apiKey: string;
  workspaceId: string;
  /** Where acknowledgements are written. */
  log: DurableLog;
  /** Where the server is, once there is one. */
  baseUrl(): Promise<string>;
}

// Often enough that every life of a server has several mails, and seldom beside its events.
const PAUSE_MS = 100;

/** A client that invites one person after another. Like the SDK, it tries again under the same key what was not answered. */
export class Inviter {
  /** Answers that no client should get. */
  readonly complaints: string[] = [];
  readonly #options: InviterOptions;
  readonly #ended: Promise<void>;
  #asked = 0;
  #running = true;

  constructor(options: InviterOptions) {
    this.#options = options;
    this.#ended = this.#work();
  }

  /** How many people were invited, or were to be. */
  get asked(): number {
    return this.#asked;
  }

  /** Ends when the invitation that was begun is acknowledged. */
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

  /** Whether it was answered. */
  async #invite(n: number): Promise<boolean> {
    const { apiKey, workspaceId, log } = this.#options;
    const email = emailOf(n);
    const baseUrl = await this.#options.baseUrl();
    const answer = await fetch(`${baseUrl}/workspaces/${workspaceId}/members/invite`, {
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
    if (answer === null || answer.status === 503) return false;
    if (answer.status === 201) await log.append({ email } satisfies Invited);
    else
      this.complaints.push(`the invitation of ${email} was answered with ${answer.status}: ${answer.text}`);
    return true;
  }
}

/** Whom the nth invitation is for. */
export const emailOf = (n: number) => `invited-${n}@example.com`;
