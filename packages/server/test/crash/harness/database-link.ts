import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between one process and PostgreSQL, which can be cut. */
export interface DatabaseLink {
  /** The URL of the database through the link. */
  url: string;
  /** Ends all connections, and refuses new ones. */
  sever(): void;
  /** Passes nothing on and ends nothing, like a firewall that drops packets. */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

// The message that names a session: its type and its length.
const SESSION = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Gives a connection another number than that of its session, as a pooler does. */
function rename(bytes: Buffer): Buffer {
  const at = bytes.indexOf(SESSION);
  if (at >= 0) bytes.writeInt32BE(-1, at + SESSION.length);
  return bytes;
}

/**
 * Opens a link to a database: a TCP proxy. With `pooled`, it numbers sessions by itself, like PgBouncer with `pool_mode =
 * session`.
 */
export async function openDatabaseLink(databaseUrl: string, { pooled = false } = {}): Promise<DatabaseLink> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'severed' | 'silent' = 'whole';
  const forward = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('data', (bytes) => {
      // Bytes that come during silence are lost, and with them the connection.
      if (state === 'whole') other.write(bytes);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((incoming) => {
    if (state === 'severed') return void incoming.destroy();
    const onward = connect({ host: hostname, port: Number(port), noDelay: true });
    incoming.setNoDelay(true);
    if (pooled) onward.prependListener('data', rename);
    forward(incoming, onward);
    forward(onward, incoming);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    sever() {
      state = 'severed';
      endAll();
    },
    silence: () => void (state = 'silent'),
    mend() {
      // Bytes that were lost in silence never arrive, so these connections cannot continue.
      if (state === 'silent') endAll();
      state = 'whole';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}
