/** An archive is this, the length of its index in digits, the index as JSON, and the parts one behind the other. */
export const MARK = 'hubline-archive\n';
export const LENGTH_DIGITS = 8;

/** The offset of each part behind the index, and its length, in bytes. */
export type Index = Readonly<Record<string, readonly [at: number, length: number]>>;

/** An open file, by its number, and the position of the archive in it. */
export interface Place {
  file: number;
  at: number;
}

/** The name under which threads find the file that the main thread opened: an upgrade may have put another one in its place. */
export const OPENED = 'hubline: the archive';
