import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The methods of a worker: each takes one argument and returns something that JSON can carry. */
export type Methods = Record<string, (input: never) => unknown>;

/** The flag that makes Node load our packages from their sources. */
const SOURCES = '--conditions=hubline-source';

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/** A module of ours in its own process, so that its CPU time and its pauses are its own. */
export class Worker<M extends Methods> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #calls = 0;

  /** With `published`, our packages are loaded from their builds instead of their sources. */
  constructor(module: URL, { published = false } = {}) {
    const execArgv = process.execArgv.filter((flag) => !(published && flag === SOURCES));
    this.#child = fork(module, { execArgv });
    this.#child.on('message', (reply: Reply) => this.#settle(reply));
    this.#child.on('exit', () => {
      for (const id of this.#waiting.keys()) this.#settle({ id, error: `${module.pathname} ended` });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Calls a method; rejects when it throws or the process ends. */
  call<Name extends keyof M & string>(
    method: Name,
    input: Parameters<M[Name]>[0],
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ value, error }) => {
        if (error === undefined) resolve(value as Awaited<ReturnType<M[Name]>>);
        else reject(new Error(error));
      });
      this.#child.send({ id, method, input });
    });
  }

  #settle(reply: Reply): void {
    this.#waiting.get(reply.id)?.(reply);
    this.#waiting.delete(reply.id);
  }

  /** Asks the process to end, and waits until it has. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await exited;
  }
}

/** The worker's side: answers calls until its parent is gone, then ends. */
export function answerParent(methods: Methods): void {
  process.on('message', ({ id, method, input }: { id: number; method: string; input: never }) => {
    const reply = (async () => methods[method]?.(input))();
    reply.then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
