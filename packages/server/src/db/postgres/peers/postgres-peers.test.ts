import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { expect, it, vi } from 'vitest';
import { PostgresPeers } from './postgres-peers.ts';

const PATIENT = { timeout: 5_000 };

/** A connection to PostgreSQL. One that is doomed ends at its first heartbeat. */
class Connection extends EventEmitter {
  readonly processID = 1;
  readonly connect = () => Promise.resolve();
  readonly end = () => Promise.resolve();
  readonly #isDoomed: boolean;

  constructor(isDoomed: boolean) {
    super();
    this.#isDoomed = isDoomed;
  }

  async query(text: string): Promise<{ rows: object[] }> {
    if (text.includes('pg_backend_pid')) return { rows: [{ pid: this.processID }] };
    if (!text.includes('pg_stat_activity')) return { rows: [] };
    if (this.#isDoomed) {
      this.emit('end');
      throw new Error('Connection terminated unexpectedly');
    }
    return { rows: [{ now: Date.now(), pids: [this.processID], present: [] }] };
  }
}

it('connects again when the connection ends at its first heartbeat', async () => {
  const connections: Connection[] = [];
  const peers = new PostgresPeers({
    ask: () => Promise.resolve([]),
    newClient: () => {
      const connection = new Connection(connections.length === 0);
      connections.push(connection);
      return connection as unknown as pg.Client;
    },
    onChanges: () => {},
    onSilence: () => {},
  });
  const gone = () => Promise.resolve();
  await peers.join({ sweep() {}, due() {}, changed() {}, jobs() {}, gone });
  await vi.waitFor(() => expect(connections).toHaveLength(2), PATIENT);
  await peers.close();
});
