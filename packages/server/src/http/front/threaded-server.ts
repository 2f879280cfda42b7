import type { AddressInfo } from 'node:net';
import { startThread } from '../../system/start-thread.ts';
import type { FromSockets, RefuseBytes, ResponsePiece, ToSockets } from './frames.ts';
import { type FromThread, type FrontSettings, inBatches, type ToThread } from './messages.ts';
import type { NodeServer } from './node-server.ts';

interface ThreadOptions extends FrontSettings {
  /** The program of the thread. Default: `http-thread`. */
  program: URL | undefined;
  refuse: RefuseBytes;
  receive: (frame: FromSockets) => void;
  onError: (error: unknown, what: string) => void;
  /** Called if the thread ends by itself: nothing can be received anymore. */
  onDeath: (reason: Error) => void;
}

/** Starts a Node server in its own thread. Returns it, and the function that sends frames to it. */
export function startThreadedServer({
  tls,
  timeouts,
  program,
  refuse,
  receive,
  onError,
  onDeath,
}: ThreadOptions): {
  server: NodeServer;
  send: (frame: ToSockets) => void;
} {
  const workerData: FrontSettings = { tls, timeouts };
  const worker = startThread(program ?? 'http-thread', { workerData, name: 'http' });
  const post = (message: ToThread) => worker.postMessage(message, []);
  const listening = Promise.withResolvers<AddressInfo>();
  const closed = Promise.withResolvers<void>();
  let closes = false;
  worker.on('message', (message: FromThread) => {
    if (message === 'closed') closed.resolve();
    else if ('listening' in message) listening.resolve(message.listening);
    else if ('notListening' in message)
      listening.reject(Object.assign(new Error(message.notListening.message), message.notListening));
    else if ('error' in message) onError(message.error, message.what);
    else if ('refuse' in message) {
      const { address, code } = message.refuse;
      void refuse(address, code).then((refusal) => post({ refusal, of: message.of }));
    } else for (const frame of message) receive(frame);
  });
  let reason = new Error('The HTTP thread ended.');
  worker.on('error', (error) => (reason = error as Error));
  worker.once('exit', () => {
    listening.reject(reason);
    closed.resolve();
    if (!closes) onDeath(reason);
  });
  const batch = inBatches<ToSockets>(post);
  return {
    send: (frame) => batch(compact(frame)),
    server: {
      listen(host, port) {
        post({ listen: { host, port } });
        return listening.promise;
      },
      busyMs: () => worker.performance.eventLoopUtilization().active,
      swapCertificate: (swap) => post({ swap }),
      async close() {
        closes = true;
        // After the responses that this turn of the event loop has made.
        setImmediate(() => post('close'));
        await closed.promise;
        await worker.terminate();
      },
    },
  };
}

/** Copies bytes out of a larger buffer: otherwise, all of it would be copied to the thread. */
function compact(frame: ToSockets): ToSockets {
  if (frame[0] === 'response' && frame[4].some(isPart)) {
    const [name, id, status, headers, body, wantsClosed] = frame;
    return [name, id, status, headers, body.map(ownPiece), wantsClosed];
  }
  if (frame[0] === 'write' && isPart(frame[2])) return [frame[0], frame[1], ownPiece(frame[2])];
  return frame;
}

const isPart = (piece: ResponsePiece): boolean =>
  typeof piece !== 'string' && piece.byteLength !== piece.buffer.byteLength;

const ownPiece = (piece: ResponsePiece): ResponsePiece =>
  isPart(piece) ? new Uint8Array(piece as Uint8Array) : piece;
