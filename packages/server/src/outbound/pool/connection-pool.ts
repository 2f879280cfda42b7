import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { LIMITS } from '@hubline/contract/constants';
import { Agent, buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { type PatientOptions, PatientPool } from './patient-pool.ts';
import { readInPieces } from './read-in-pieces.ts';
import { lookUpBySystem, type Resolve, type ResolvedAddress } from './name-lookups.ts';
import { allowsAddress, type TargetPolicy } from '../target.ts';

/** The settings by which a pool dials and reads. */
export interface PoolOptions {
  /** The policy for targets; `null` for URLs of the operator's own configuration. */
  policy: TargetPolicy | null;
  /** Resolves names. Default: the system's resolver, so that `/etc/hosts` and search domains count. */
  resolve?: Resolve;
  /** Certificate authorities instead of Node's own, in PEM. */
  ca?: string;
  /** Concurrent connections to one scheme, host and port. Default 256. */
  connectionsPerOrigin?: number;
  /** Connections that are kept for reuse, over all origins. Default 1,024. */
  keptConnections?: number;
  /** The most that is read for one response, with hints, headers and framing, in bytes. Default 4 MiB. */
  responseBytes?: number;
}

/** A pool of connections. */
export interface ConnectionPool {
  dispatch: Dispatcher['dispatch'];
  /** Reports whether the request that starts now is the first on its connection. Valid inside `onRequestStart` only. */
  readonly dialed: boolean;
  /** Waits for running requests. */
  close(): Promise<void>;
  /** Ends running requests. */
  destroy(): Promise<void>;
}

/** Users must not reach the target through this server. The message does not reveal the address. */
class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
  readonly code = 'ERR_BLOCKED_TARGET';

  constructor() {
    super('blocked address');
  }
}

// Long enough to be reused by a busy receiver, short enough that ten thousand receivers called once do not pile up sockets.
const IDLE_MS = 10_000;
// A receiver's `Keep-Alive: timeout` may lengthen that up to this. A connection is closed one second before, because
// the receiver's time starts earlier.
const IDLE_MAX_MS = 60_000;
const IDLE_MARGIN_MS = 1_000;
// Ten thousand receivers, each called once, must not hold a socket each.
const KEPT_CONNECTIONS = 1_024;
const NOT_KEPT = { keepAliveTimeout: 1, keepAliveMaxTimeout: 1 };
// A full handshake costs about a millisecond of CPU time, a resumed one a third. A session takes 2 to 3 KB.
const SESSIONS_MAX = 2_048;
// Calls to providers keep up to 1 MiB of body, which may come in small chunks.
const RESPONSE_BYTES = 4 * 1024 * 1024;
// A connection is pinned to one address: this is how long a changed DNS record can go unnoticed.
const CONNECTION_MAX_AGE_MS = 5 * 60_000;

/** Makes a pool. It reads no proxy variable, speaks HTTP/1.1 without pipelining and always verifies certificates. */
export function openPool(options: PoolOptions): ConnectionPool {
  const { responseBytes = RESPONSE_BYTES, keptConnections = KEPT_CONNECTIONS } = options;
  const dialing = new Set<Socket>();
  const dial = {
    'http:': createDial('http:', options, dialing),
    'https:': createDial('https:', options, dialing),
  };
  let dialed = false;
  let open = 0;

  const agent = new Agent({
    connect: (target, callback) => {
      dial[target.protocol as 'http:' | 'https:'](target, (error, socket) => {
        if (error) return callback(error, null);
        readInPieces(socket, responseBytes);
        open += 1;
        socket.once('close', () => (open -= 1));
        // undici starts the waiting request before this call returns.
        dialed = true;
        try {
          callback(null, socket);
        } finally {
          dialed = false;
        }
      });
    },
    // With many open already, connections to a further origin are closed as soon as they are idle.
    factory: (origin, given: PatientOptions) => {
      const settings = open < keptConnections ? given : { ...given, ...NOT_KEPT };
      return String(origin).startsWith('https:')
        ? new PatientPool(origin, settings)
        : new Pool(origin, settings);
    },
    connections: options.connectionsPerOrigin ?? 256,
    clientTtl: CONNECTION_MAX_AGE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    pipelining: 1,
    allowH2: false,
    // `exchange.ts` sets one deadline for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    dispatch: agent.dispatch.bind(agent),
    get dialed() {
      return dialed;
    },
    close: () => agent.close(),
    destroy() {
      // undici does not close connections that are being made: they would continue for up to 30 s.
      for (const socket of dialing) socket.destroy(new errors.ClientDestroyedError());
      return agent.destroy();
    },
  };
}

function createDial(
  protocol: 'http:' | 'https:',
  options: PoolOptions,
  dialing: Set<Socket>,
): buildConnector.connector {
  const { policy, resolve = lookUpBySystem, ca } = options;
  const allows = (ip: string): boolean => policy === null || allowsAddress(policy, protocol, ip);
  const openConnector = () =>
    buildConnector({
      timeout: LIMITS.attemptTimeoutMs,
      allowH2: false,
      maxCachedSessions: SESSIONS_MAX,
      lookup: createLookup(resolve, allows),
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing.
      rejectUnauthorized: true,
      // One for all connections: otherwise each would read all certificate authorities again, which costs a quarter of
      // its handshake (measured).
      ...(protocol === 'https:' && { secureContext: createSecureContext(ca === undefined ? {} : { ca }) }),
    });
  let connect: buildConnector.connector | undefined;
  const sessions = new Map<string, Buffer>();

  return (target, callback) => {
    // Node does not ask `lookup` about literal addresses.
    if (isIP(target.hostname) !== 0 && !allows(target.hostname)) {
      queueMicrotask(() => callback(new BlockedTargetError(), null));
      return;
    }
    connect ??= openConnector();
    const dialed: unknown = connect(target, (error, socket) => {
      if (dialed instanceof Socket) dialing.delete(dialed);
      if (error) return callback(error, null);
      // A second check: the dialed address must be allowed. Without an address, the peer has already gone.
      const problem = refusal(socket.remoteAddress, allows);
      if (!problem) return callback(null, socket);
      socket.destroy();
      callback(problem, null);
    });
    // `connect` returns the socket, although its type does not say so.
    if (!(dialed instanceof Socket)) return;
    dialing.add(dialed);
    // undici holds sessions only weakly: the next garbage collection would remove them.
    dialed.on('session', (session: Buffer) =>
      keepSession(sessions, target.servername ?? target.hostname, session),
    );
  };
}

/** Keeps the newest session of a name, and drops the oldest of all when there are too many. */
function keepSession(sessions: Map<string, Buffer>, name: string, session: Buffer): void {
  sessions.delete(name);
  sessions.set(name, session);
  const [oldest] = sessions.keys();
  if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
}

function refusal(address: string | undefined, allows: (ip: string) => boolean): Error | null {
  if (address === undefined) return Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
  return allows(address) ? null : new BlockedTargetError();
}

function createLookup(resolve: Resolve, allows: (ip: string) => boolean): LookupFunction {
  // One forbidden address blocks the name: a mixed answer is the sign of a rebinding attack.
  const judged = async (hostname: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = await resolve(hostname);
    if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    if (![first, ...others].every(({ address }) => allows(address))) throw new BlockedTargetError();
    return [first, ...others];
  };

  return (hostname, options, reply) => {
    judged(hostname).then(
      (found) => (options.all ? reply(null, found) : reply(null, found[0].address, found[0].family)),
      (error: Error) => reply(error, []),
    );
  };
}
