const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `312 B`, `2.1 KB`, `4 MB`, as in the dashboard. A KB is 1,024 bytes, as in every limit. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Math.round((bytes / 1_024 ** step) * 10) / 10} ${UNITS[step]}`;
}
