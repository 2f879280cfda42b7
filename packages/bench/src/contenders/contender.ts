import type { Target } from '../load/generator.worker.ts';

/** A way to get events from an HTTP request to a webhook. */
export interface Contender {
  name: string;
  /** The reason why it cannot run on this machine; `null` if it can. */
  missing(): string | null;
  /** Its share of the events of a round. It is smaller for slow contenders, which would otherwise take most of the time. */
  share: number;
  start(options: StartOptions): Promise<Running>;
}

/** The folder and the receiver of one round. */
export interface StartOptions {
  /** An empty folder of its own, removed after the round. */
  folder: string;
  /** The URL for deliveries. */
  receiverUrl: string;
}

/** A contender that accepts events. */
export interface Running extends AsyncDisposable {
  target: Target;
  /** The same target on each of its processes, used in turn. Default: only `target`. */
  targets?: readonly Target[];
  /** The roots of all its process trees, database servers included. */
  pids: readonly number[];
  /** The number of deliveries whose result is stored. */
  recorded(): Promise<number>;
  /** The growth of its database in bytes; only where that is a file. */
  stored?(): number;
}
