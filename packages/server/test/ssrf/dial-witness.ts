import { once } from 'node:events';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

type Connect = (request: object, address: string, port: number) => number;
type TcpPrototype = { connect: Connect; connect6: Connect };

/** Records dialed addresses at the point where JavaScript hands a connection to the system. */
export interface DialWitness {
  /** Every address that was dialed, `address port`, except those that `exempt` names. */
  dialed: string[];
  /** Addresses to leave out: the API that the test itself calls. */
  exempt(address: string, port: number): void;
  /** Forgets the dialed addresses. */
  clear(): void;
  stop(): void;
}

/** The file in which the sender threads of this process write down what they dial, if `watched-sender` is their program. */
export const SENDER_DIALS = join(tmpdir(), `hubline-dials-${process.pid}`);

interface WatchOptions {
  /** Dials 127.0.0.1 in place of any other address. */
  divert?: boolean;
  /** Called before an address is dialed. */
  onDial?: (where: string) => void;
}

/**
 * Watches every TCP connection of this thread, from any library. Only 127.0.0.1 and ::1 are really dialed. A connection to any other
 * address is refused, as if nothing listened there.
 */
export async function watchDials({
  divert = false,
  onDial = () => {},
}: WatchOptions = {}): Promise<DialWitness> {
  const prototype = await tcpPrototype();
  const { connect, connect6 } = prototype;
  const exempted = new Set<string>();
  const dialed: string[] = [];
  const watch = (original: Connect): Connect =>
    function (this: object, request, address, port) {
      const where = `${address} ${port}`;
      if (!exempted.has(where)) {
        dialed.push(where);
        onDial(where);
      }
      if (address === '127.0.0.1' || address === '::1') return original.call(this, request, address, port);
      return divert ? connect.call(this, request, '127.0.0.1', port) : -constants.errno.ECONNREFUSED;
    };
  prototype.connect = watch(connect);
  prototype.connect6 = watch(connect6);
  return {
    dialed,
    exempt: (address, port) => void exempted.add(`${address} ${port}`),
    clear: () => void dialed.splice(0),
    stop: () => void Object.assign(prototype, { connect, connect6 }),
  };
}

/**
 * Node has one class for every TCP socket and exports no name for it, so this takes the class from a listening server.
 */
async function tcpPrototype(): Promise<TcpPrototype> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { _handle: handle } = server as unknown as { _handle: object };
  server.close();
  return Object.getPrototypeOf(handle) as TcpPrototype;
}
