const KIB = 1024;
const MIB = KIB * KIB;

/** A size for people. Rounded to whole MiB, a small one would seem to be nothing. */
export const sizeOf = (bytes: number): string =>
  bytes < 10 * MIB ? `${Math.floor(bytes / KIB)} KiB` : `${Math.floor(bytes / MIB)} MiB`;
