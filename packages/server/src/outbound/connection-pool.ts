import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { LIMITS } from '@hubline/contract/constants';
import { Agent, buildConnector, errors, Pool } from 'undici';
import type { DispatcherOptions, OutboundDispatcher, Resolve, ResolvedAddress } from './dispatcher.ts';
import { readInPieces } from './read-in-pieces.ts';
import { allowsAddress } from './target.ts';

/** The target is a place that users must not reach through this server. Says nothing about what is there. */
class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
  readonly code = 'ERR_BLOCKED_TARGET';

  constructor() {
    super('blocked address');
  }
}

// Long enough to be reused by a busy receiver, short enough that ten thousand receivers called once do not pile up sockets.
const IDLE_MS = 10_000;
// A receiver's `Keep-Alive: timeout` may lengthen that, to this; one second early, because the hint counts from its side.
const IDLE_MAX_MS = 60_000;
const IDLE_MARGIN_MS = 1_000;
// Ten thousand receivers, each called once, must not hold a socket each.
const KEPT_CONNECTIONS = 1_024;
const NOT_KEPT = { keepAliveTimeout: 1, keepAliveMaxTimeout: 1 };
// A full handshake costs about a millisecond of CPU time, a resumed one a third. A session takes 2 to 3 KB.
const SESSIONS_MAX = 2_048;
// Calls of providers keep up to 1 MiB of body, which may come in small chunks.
const ANSWER_BYTES = 4 * 1024 * 1024;
// A connection is pinned to one address: this is how long a changed DNS record can go unnoticed.
const CONNECTION_MAX_AGE_MS = 5 * 60_000;

/** Makes a pool. It reads no proxy variable, speaks HTTP/1.1 without pipelining and always verifies certificates. */
export function openPool(options: DispatcherOptions): Omit<OutboundDispatcher, 'check'> {
  const { answerBytes = ANSWER_BYTES, keptConnections = KEPT_CONNECTIONS } = options;
  const dialling = new Set<Socket>();
  const dial = {
    'http:': createDial('http:', options, dialling),
    'https:': createDial('https:', options, dialling),
  };
  let dialled = false;
  let open = 0;

  const agent = new Agent({
    connect: (target, callback) => {
      dial[target.protocol as 'http:' | 'https:'](target, (error, socket) => {
        if (error) return callback(error, null);
        readInPieces(socket, answerBytes);
        open += 1;
        socket.once('close', () => (open -= 1));
        // undici starts the waiting request before this call returns.
        dialled = true;
        try {
          callback(null, socket);
        } finally {
          dialled = false;
        }
      });
    },
    // With many open already, those to a further origin are closed as soon as nobody uses them.
    factory: (origin, pool: Pool.Options) =>
      new Pool(origin, open < keptConnections ? pool : { ...pool, ...NOT_KEPT }),
    connections: options.connectionsPerOrigin ?? 256,
    clientTtl: CONNECTION_MAX_AGE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    pipelining: 1,
    allowH2: false,
    // One deadline rules an exchange, from outside: see exchange.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    dispatch: agent.dispatch.bind(agent),
    get dialled() {
      return dialled;
    },
    close: () => agent.close(),
    destroy() {
      // undici forgets them, and they would go on for up to 30 s.
      for (const socket of dialling) socket.destroy(new errors.ClientDestroyedError());
      return agent.destroy();
    },
  };
}

function createDial(
  protocol: 'http:' | 'https:',
  options: DispatcherOptions,
  dialling: Set<Socket>,
): buildConnector.connector {
  const { policy, resolve = resolveBySystem, ca } = options;
  const allows = (ip: string): boolean => policy === null || allowsAddress(policy, protocol, ip);
  const connect = buildConnector({
    timeout: LIMITS.attemptTimeoutMs,
    allowH2: false,
    maxCachedSessions: SESSIONS_MAX,
    lookup: createLookup(resolve, allows),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  const sessions = new Map<string, Buffer>();

  return (target, callback) => {
    // Node does not ask `lookup` about literal addresses.
    if (isIP(target.hostname) !== 0 && !allows(target.hostname)) {
      queueMicrotask(() => callback(new BlockedTargetError(), null));
      return;
    }
    const dialled: unknown = connect(target, (error, socket) => {
      if (dialled instanceof Socket) dialling.delete(dialled);
      if (error) return callback(error, null);
      // The second lock: what was dialled is what was judged. No address: the peer has already gone.
      const problem = refusal(socket.remoteAddress, allows);
      if (!problem) return callback(null, socket);
      socket.destroy();
      callback(problem, null);
    });
    // It returns the socket, which its type does not say.
    if (!(dialled instanceof Socket)) return;
    dialling.add(dialled);
    // undici holds sessions weakly, until the next garbage collection.
    dialled.on('session', (session: Buffer) =>
      keepSession(sessions, target.servername ?? target.hostname, session),
    );
  };
}

/** Keeps the newest session of a name, and forgets the oldest of all where there are too many. */
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
  // One answer that is not allowed condemns the name: a mixed answer is how a rebinding attack looks.
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

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true, order: 'verbatim' });
