import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file in the data directory that `server start` leaves for other commands while the server runs. */
interface ServerFile {
  readonly pid: number;
  readonly base_url: string;
  readonly public_url: string;
}

// Windows has no such flag.
const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

const pathOf = (data: string): string => join(data, 'server.json');

/** Records the server that runs in a data directory, until it is disposed of. */
export function announceServer(data: string, server: ServerFile): Disposable {
  // The owner of the directory can remove a file that root has left, but not write it.
  rmSync(pathOf(data), { force: true });
  // A link that somebody puts there in the meantime is not followed.
  const descriptor = openSync(pathOf(data), REPLACE, 0o600);
  writeFileSync(descriptor, `${JSON.stringify(server)}\n`);
  closeSync(descriptor);
  return { [Symbol.dispose]: () => rmSync(pathOf(data), { force: true }) };
}

/** The server that runs in a data directory; `null` if none is recorded. After a crash, it may be gone. */
export function announcedServer(data: string): ServerFile | null {
  try {
    const { pid, base_url, public_url } = JSON.parse(
      readFileSync(pathOf(data), 'utf8'),
    ) as Partial<ServerFile>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof base_url !== 'string')
      return null;
    // An older server does not record it.
    return { pid, base_url, public_url: public_url ?? new URL(base_url).origin };
  } catch {
    return null;
  }
}

/** The URL of the API for a client on this machine. A server that speaks TLS has a certificate for its public name alone. */
export const clientUrl = ({ base_url, public_url }: Pick<ServerFile, 'base_url' | 'public_url'>): string =>
  base_url.startsWith('https:') ? `${public_url}/v1` : base_url;
