/** The first bytes of an archive. They are followed by the length of its index in digits, the index as JSON, and the parts. */
export const MARK = 'hubline-archive\n';
export const LENGTH_DIGITS = 8;

/** The offset of each part from the end of the index, and its length, in bytes. */
export type Index = Readonly<Record<string, readonly [at: number, length: number]>>;

/** An open file, by its number, and the position of the archive in it. */
export interface Place {
  file: number;
  at: number;
}

/** The name under which threads find the file that the main thread opened: an upgrade may have replaced the one on disk. */
export const OPENED = 'hubline: the archive';
