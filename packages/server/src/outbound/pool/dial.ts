import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { LIMITS } from '@hubline/contract/constants';
import { allowsAddress, type TargetPolicy } from '../target.ts';
import { TransportError } from '../failures/transport-error.ts';
import { lookUpBySystem, type Resolve, type ResolvedAddress } from './name-lookups.ts';

/** The settings by which connections are made. */
export interface DialOptions {
  /** The policy for targets; `null` for URLs of the operator's own configuration. */
  policy: TargetPolicy | null;
  /** Resolves names. Default: the system's resolver, so that `/etc/hosts` and search domains count. */
  resolve?: Resolve;
  /** Certificate authorities instead of Node's own, in PEM. */
  ca?: string;
}

/** The user of a connection. */
export interface SocketUser {
  /** Called with what comes: a view of memory that the next read overwrites. */
  onRead(bytes: Buffer): void;
  /** Called when the connection is made and its address is checked. */
  onOpen(): void;
  /** Called if it cannot be made, and if it breaks. */
  onError(error: Error): void;
}

/** Begins a connection to the origin of a URL, and returns its socket; `null` if there must be none. */
export type Dial = (origin: URL, user: SocketUser) => Socket | null;

// A full handshake costs about a millisecond of CPU time, a resumed one a third. A session takes 2 to 3 KB.
const SESSIONS_MAX = 2_048;
// Most responses are shorter. Memory of its own for each read, as Node allots it, costs a quarter of a call.
const READ_BYTES = 4 * 1024;
// Node tries the next address of a name after 250 ms, and a far receiver would never be reached if its other address is
// dead. Longer than the second after which Linux repeats a lost first packet.
const ADDRESS_MS = 1_500;
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000, noDelay: true };

/**
 * Makes the function that makes connections: only to allowed addresses, over TLS only with a verified certificate, and
 * never through a proxy.
 */
export function createDial({ policy, resolve = lookUpBySystem, ca }: DialOptions): Dial {
  const sessions = new Sessions();
  let secureContext: SecureContext | undefined;

  const open = (origin: URL, user: SocketUser, allows: Allows): Socket => {
    const host = hostOf(origin);
    const isTls = origin.protocol === 'https:';
    const target = {
      ...KEEP_ALIVE,
      host,
      port: Number(origin.port || (isTls ? 443 : 80)),
      lookup: createLookup(resolve, allows),
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
      onread: readInto((bytes) => user.onRead(bytes)),
    };
    if (!isTls) return connectTcp(target);
    // One for all connections: otherwise each would read all certificate authorities again, which costs a quarter of
    // its handshake (measured).
    secureContext ??= createSecureContext(ca === undefined ? {} : { ca });
    return connectTls({
      ...target,
      secureContext,
      // RFC 6066, 3: neither an address nor the dot at the end of a name.
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      session: sessions.of(host),
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    }).on('session', (session: Buffer) => sessions.keep(host, session));
  };

  return (origin, user) => {
    const { protocol } = origin;
    const allows: Allows = (ip) => policy === null || allowsAddress(policy, protocol, ip);
    let socket: Socket;
    try {
      // Node does not ask `lookup` about literal addresses.
      const host = hostOf(origin);
      if (isIP(host) !== 0 && !allows(host)) throw new TransportError('ERR_BLOCKED_TARGET');
      socket = open(origin, user, allows);
    } catch (error) {
      queueMicrotask(() => user.onError(error as Error));
      return null;
    }
    const timeout = setTimeout(
      () => socket.destroy(new TransportError('ERR_CONNECT_TIMEOUT')),
      LIMITS.attemptTimeoutMs,
    ).unref();
    socket.once('close', () => clearTimeout(timeout));
    socket.on('error', (error) => user.onError(error));
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(timeout);
      // A second check: the dialed address must be allowed.
      const problem = refusalOf(socket.remoteAddress, allows);
      if (problem) user.onError(problem);
      else user.onOpen();
    });
    return socket;
  };
}

type Allows = (ip: string) => boolean;

/** The host of a URL, without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const readInto = (callback: (bytes: Buffer) => void): OnReadOpts => ({
  buffer: Buffer.allocUnsafeSlow(READ_BYTES),
  callback(length, memory) {
    callback((memory as Buffer).subarray(0, length));
    return true;
  },
});

/** TLS sessions to resume, by name. */
class Sessions {
  readonly #sessions = new Map<string, Buffer>();

  of(name: string): Buffer | undefined {
    return this.#sessions.get(name);
  }

  /** Keeps the newest session of a name, and drops the oldest of all if there are too many. */
  keep(name: string, session: Buffer): void {
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

function refusalOf(address: string | undefined, allows: Allows): Error | null {
  // Without an address, the receiver has already gone.
  if (address === undefined) return Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
  return allows(address) ? null : new TransportError('ERR_BLOCKED_TARGET');
}

function createLookup(resolve: Resolve, allows: Allows): LookupFunction {
  // One forbidden address blocks the name: a mixed answer is the sign of a rebinding attack.
  const judged = async (hostname: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = await resolve(hostname);
    if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    if (![first, ...others].every(({ address }) => allows(address)))
      throw new TransportError('ERR_BLOCKED_TARGET');
    return [first, ...others];
  };

  return (hostname, options, reply) => {
    judged(hostname).then(
      (found) => (options.all ? reply(null, found) : reply(null, found[0].address, found[0].family)),
      (error: Error) => reply(error, []),
    );
  };
}
