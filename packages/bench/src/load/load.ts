import { Worker } from '../process/worker.ts';
import type { GeneratorMethods } from './generator.worker.ts';
import type { ReceiverMethods } from './receiver.worker.ts';

/** A load generator and a receiver, each in its own process, which no contender's figures include. */
export class Load implements AsyncDisposable {
  readonly generator = new Worker<GeneratorMethods>(new URL('generator.worker.ts', import.meta.url));
  readonly receiver = new Worker<ReceiverMethods>(new URL('receiver.worker.ts', import.meta.url));

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.generator, this.receiver].map((worker) => worker[Symbol.asyncDispose]()));
  }
}
