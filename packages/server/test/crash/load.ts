import { Api } from '../api/support/api.ts';

/** Clients that publish numbered events as fast as they get responses, and record which were acknowledged. */
export class Load {
  /** The numbers of the events that the server has accepted with a 201. */
  readonly acknowledged: number[] = [];
  readonly #workers: Promise<void>[] = [];
  readonly #publish: (n: number) => Promise<boolean>;
  #next = 0;
  #running = true;

  constructor(server: { baseUrl: string; apiKey: string; workspaceId: string }) {
    const api = new Api(server.baseUrl, server.apiKey);
    this.#publish = async (n) => {
      const body = { type: 'push', payload: { n } };
      const { status } = await api.send('events.publish', { params: { id: server.workspaceId }, body });
      return status === 201;
    };
  }

  start(clients: number): this {
    for (let client = 0; client < clients; client += 1) this.#workers.push(this.#work());
    return this;
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    while (this.#running) {
      const n = this.#next;
      this.#next += 1;
      try {
        if (await this.#publish(n)) this.acknowledged.push(n);
      } catch (error) {
        // The server is gone. An event that it did not acknowledge may be lost.
        if (!(error instanceof TypeError)) throw error;
        return;
      }
    }
  }
}
