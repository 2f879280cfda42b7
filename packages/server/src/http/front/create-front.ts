import type { FromSockets, ToSockets } from './frames.ts';
import { createNodeServer, type NodeServer, type NodeServerOptions } from './node-server.ts';
import { type Incoming, OpenRequests, type Outgoing } from './open-requests.ts';
import { Relay } from './relay.ts';
import { startThreadedServer } from './threaded-server.ts';

interface FrontOptions extends Omit<NodeServerOptions, 'accept'> {
  /** The server of Node is in a thread of its own. */
  thread: boolean;
  /** The program of that thread, for tests. */
  program: URL | undefined;
  /** Handles a request in this thread. */
  handle: (incoming: Incoming, outgoing: Outgoing) => void;
  /** Called if that thread ends by itself. */
  onDeath: (reason: Error) => void;
}

/** Joins a server of Node and the application. The two send frames to each other, directly or in the messages of a thread. */
export function createFront(options: FrontOptions): NodeServer {
  const { thread, program, handle, tls, timeouts, refuse, onError, onDeath } = options;
  let send: (frame: ToSockets) => void;
  const requests = new OpenRequests((frame) => send(frame), handle);
  const receive = (frame: FromSockets) => requests.receive(frame);
  if (thread) {
    const { cert, key } = tls ?? {};
    const pair = tls && { cert, key };
    const threaded = startThreadedServer({ tls: pair, timeouts, program, refuse, receive, onError, onDeath });
    send = threaded.send;
    return threaded.server;
  }
  const relay = new Relay({ send: receive, copies: false });
  send = (frame) => relay.receive(frame);
  const accept: NodeServerOptions['accept'] = (incoming, outgoing) => relay.accept(incoming, outgoing);
  return createNodeServer({ tls, timeouts, accept, refuse, onError });
}
