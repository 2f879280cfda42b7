import { packTar, type TarEntry } from 'modern-tar';

export type Entry = TarEntry;

// The same input makes the same bytes, whoever builds it and when.
const timeless = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };

export function file(name: string, content: string | Uint8Array, mode = 0o644): Entry {
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { header: { ...timeless, name, type: 'file', size: body.length, mode }, body };
}

export function directory(name: string, { mode = 0o755, owner = 0 } = {}): Entry {
  return {
    header: { ...timeless, name: `${name}/`, type: 'directory', size: 0, mode, uid: owner, gid: owner },
  };
}

export function link(name: string, target: string): Entry {
  return { header: { ...timeless, name, type: 'symlink', size: 0, mode: 0o777, linkname: target } };
}

/** The tar archive of a layer, in the order of names. */
export async function packLayer(entries: readonly Entry[]): Promise<Uint8Array> {
  return packTar(entries.toSorted((one, other) => (one.header.name < other.header.name ? -1 : 1)));
}
