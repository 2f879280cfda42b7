/**
 * Backs up once a day unless the operator names another interval: PostgreSQL has tools of its own. Without a `place` of the
 * system, only where the operator names one.
 */
export function withDailyBackups(
  settings: Readonly<Record<string, string>>,
  place?: string,
): Readonly<Record<string, string>> {
  const to = settings['HUBLINE_BACKUP_TO'] ?? place;
  const isTheirs = 'HUBLINE_DATABASE_URL' in settings || 'HUBLINE_BACKUP_EVERY' in settings;
  return isTheirs || to === undefined
    ? settings
    : { ...settings, HUBLINE_BACKUP_EVERY: '24h', HUBLINE_BACKUP_TO: to };
}
