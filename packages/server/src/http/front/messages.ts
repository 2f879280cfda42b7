import type { AddressInfo } from 'node:net';
import type { FromSockets, Refusal, ToSockets } from './frames.ts';
import type { HttpTimeouts, KeyPair } from './node-server.ts';

/** Settings that the HTTP thread starts with. */
export interface FrontSettings {
  tls: KeyPair | null;
  timeouts: Partial<HttpTimeouts> | undefined;
}

/** Messages from the main thread. Frames travel in batches: a message costs as much as a small request. */
export type ToThread =
  | readonly ToSockets[]
  | { listen: { host: string; port: number } }
  | { swap: KeyPair }
  | { refusal: Refusal; of: number }
  | 'close';

/** Messages from the HTTP thread. */
export type FromThread =
  | readonly FromSockets[]
  | { listening: AddressInfo }
  | { notListening: NodeJS.ErrnoException & { address?: string } }
  | { refuse: { address: string | undefined; code: string | undefined }; of: number }
  | { error: unknown; what: string }
  | 'closed';

/** Collects the frames of a turn of the event loop, and sends them together. */
export function inBatches<Frame>(send: (frames: readonly Frame[]) => void): (frame: Frame) => void {
  let frames: Frame[] = [];
  const flush = () => {
    const batch = frames;
    frames = [];
    send(batch);
  };
  return (frame) => {
    if (frames.push(frame) === 1) setImmediate(flush);
  };
}
