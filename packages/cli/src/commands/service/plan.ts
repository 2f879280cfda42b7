import { launchd, MACOS_BACKUPS } from './platforms/launchd.ts';
import type { ServiceOptions, ServicePlan } from './service-plan.ts';
import { systemd } from './platforms/systemd/systemd.ts';
import { LINUX_BACKUPS } from './platforms/systemd/systemd-settings.ts';
import { taskScheduler, WINDOWS_BACKUPS } from './platforms/task-scheduler.ts';

interface System {
  readonly plan: (options: ServiceOptions) => ServicePlan;
  /** The directory of backups, which the plan makes unless the operator names another. */
  readonly backups: string;
}

const SYSTEMS: Partial<Record<NodeJS.Platform, System>> = {
  linux: { plan: systemd, backups: LINUX_BACKUPS },
  darwin: { plan: launchd, backups: MACOS_BACKUPS },
  win32: { plan: taskScheduler, backups: WINDOWS_BACKUPS },
};

/** The plan for a system; `undefined` where there is none. */
export function planFor(platform: NodeJS.Platform, options: ServiceOptions): ServicePlan | undefined {
  return SYSTEMS[platform]?.plan({ ...options, settings: withDailyBackups(platform, options.settings) });
}

/** The directory of backups on a system; empty where there is no plan for it. */
export const defaultBackups = (platform: NodeJS.Platform): string => SYSTEMS[platform]?.backups ?? '';

/** Backs up once a day, unless the operator names another interval. PostgreSQL has its own tools. */
export function withDailyBackups(
  platform: NodeJS.Platform,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { HUBLINE_BACKUP_EVERY = '24h', HUBLINE_BACKUP_TO = defaultBackups(platform) } = settings;
  const hasOtherBackups = 'HUBLINE_DATABASE_URL' in settings || HUBLINE_BACKUP_TO === '';
  return hasOtherBackups ? settings : { ...settings, HUBLINE_BACKUP_EVERY, HUBLINE_BACKUP_TO };
}
