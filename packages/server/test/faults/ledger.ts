import { expect } from 'vitest';
import { type Api, walk } from '../api/support/api.ts';
import type { Receiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

/** The workspace that events are published to, and their receiver. */
export interface Published {
  api: Api;
  workspaceId: string;
  receiver: Receiver;
}

// Large enough that a few events need a new page of the database.
const FILLING = 'x'.repeat(10_000);

/** Publishes numbered events, and records what was acknowledged. */
export class Ledger {
  readonly acknowledged: number[] = [];
  readonly refused: number[] = [];
  readonly #published: Published;
  #next = 0;

  constructor(published: Published) {
    this.#published = published;
  }

  async subscribe(): Promise<string> {
    const { api, workspaceId, receiver } = this.#published;
    const { id } = await api.call('webhooks.create', {
      body: { workspace_id: workspaceId, url: receiver.url, events: ['event.created'], secret: 'whsec_test' },
    });
    return id;
  }

  /** Publishes one event: it is either accepted, or refused as the contract says. */
  async publish(): Promise<boolean> {
    const { api, workspaceId } = this.#published;
    const n = this.#next;
    this.#next += 1;
    const response = await api.send('events.publish', {
      params: { id: workspaceId },
      body: { type: 'push', payload: { n, filling: FILLING } },
    });
    if (response.status === 201) {
      this.acknowledged.push(n);
      return true;
    }
    expect(response.json).toMatchObject({ error: { code: 'service_unavailable' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    this.refused.push(n);
    return false;
  }

  /** Checks that exactly the acknowledged events are stored, and that all of them reach the receiver. */
  async check(api = this.#published.api): Promise<void> {
    const { workspaceId, receiver } = this.#published;
    const number = (event: unknown) => (event as { payload: { n: number } }).payload.n;
    const stored = (await walk(api, 'events.list', { params: { id: workspaceId }, limit: 100 }))
      .flat()
      .map(number);
    expect(stored.toSorted((a, b) => a - b)).toEqual(this.acknowledged);
    await until('every event at the receiver', () => {
      const seen = receiver.calls.map(({ body }) => number((JSON.parse(body) as { data: unknown }).data));
      return this.acknowledged.every((n) => seen.includes(n));
    });
  }
}
