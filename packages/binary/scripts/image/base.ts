import type { ParsedTarEntryWithData } from 'modern-tar';
import { readDeb } from './deb.ts';
import { fetchDeb, type Pin } from './debian.ts';
import { directory, type Entry, file, link } from './layer.ts';

/** The ID of the server's user, which no user of a machine has. */
export const USER = 10_001;

/** The libraries that Node's program loads, and `libresolv`, which its resolver may load. */
const LIBRARIES =
  /^usr\/lib\/.*\/(?:ld-linux-[\w-]+\.so\.\d|lib(?:c|m|dl|pthread|rt|resolv|gcc_s|stdc\+\+)\.so\.\d)[\d.]*$/;
/** The loader under its name in every program, the name of the system for scanners, and the licenses. */
const OTHERS =
  /^(?:usr\/lib(?:64)?\/ld-linux-[\w-]+\.so\.\d|usr\/lib\/os-release|usr\/share\/doc\/[^/]+\/copyright)$/;

/** The layer below the program: files of Debian's packages, a user, and the data directory. */
export async function baseLayer(pins: readonly Pin[]): Promise<Entry[]> {
  const packages = await Promise.all(
    pins.map(async (pin) => ({ name: pin.name, ...(await readDeb(pin.name, await fetchDeb(pin))) })),
  );
  return [
    ...['dev', 'etc', 'proc', 'sys', 'usr', 'usr/lib', 'usr/lib64', 'var'].map((name) => directory(name)),
    link('lib', 'usr/lib'),
    link('lib64', 'usr/lib64'),
    link('etc/os-release', '../usr/lib/os-release'),
    file('etc/passwd', `hubline:x:${USER}:${USER}:Hubline:/data:/sbin/nologin\n`),
    file('etc/group', `hubline:x:${USER}:\n`),
    // Without it, names in /etc/hosts would be looked up in the DNS first.
    file('etc/nsswitch.conf', 'hosts: files dns\n'),
    directory('data', { mode: 0o700, owner: USER }),
    directory('tmp', { mode: 0o1777 }),
    ...packages.flatMap(({ files }) => [...files].flatMap(([path, entry]) => kept(path, entry))),
    // Scanners look here for the packages of an image that has no dpkg.
    ...packages.map(({ name, control }) => file(`var/lib/dpkg/status.d/${name}`, control)),
  ];
}

function kept(path: string, { header, data }: ParsedTarEntryWithData): Entry[] {
  if (!LIBRARIES.test(path) && !OTHERS.test(path)) return [];
  if (header.type === 'symlink') return [link(path, header.linkname ?? '')];
  return header.type === 'file' && data ? [file(path, data, header.mode)] : [];
}
