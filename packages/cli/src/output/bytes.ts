const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** `312 B`, `2.1 KiB`, `4 MiB`, as in the dashboard and in every limit. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Math.round((bytes / 1_024 ** step) * 10) / 10} ${UNITS[step]}`;
}
