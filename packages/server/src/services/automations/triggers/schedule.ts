import { Cron } from 'croner';
import type { Draft } from '../../../domain/draft.ts';
import type { FaultDetail } from '../../../domain/faults/fault.ts';
import { isTimeZone } from '../../../domain/notifications/quiet-hours.ts';
import type { AutomationTrigger } from './start-index.ts';

// Five fields: the finest unit is the minute. A schedule with seconds is a mistake.
const FIELDS = 5;

/** The faults of a schedule; other triggers have none. */
export function scheduleFaults({ event, cron = '', timezone }: Draft<AutomationTrigger>): FaultDetail[] {
  if (event !== 'schedule') return [];
  const faults: FaultDetail[] = [];
  if (timezone !== undefined && !isTimeZone(timezone))
    faults.push({ field: 'trigger.timezone', issue: 'must be an IANA time zone, such as Europe/Berlin' });
  const issue =
    'must be a cron expression of five fields that matches some time, such as 0 9 * * 1 for Mondays at 9:00';
  if (!isCron(cron.trim())) faults.push({ field: 'trigger.cron', issue });
  return faults;
}

function isCron(cron: string): boolean {
  if (cron.split(/\s+/).length !== FIELDS || cron.startsWith('@')) return false;
  try {
    return new Cron(cron, { paused: true }).nextRun() !== null;
  } catch {
    // The error of croner says what croner expects, not what people should write.
    return false;
  }
}

/** The next time of a schedule; `null` for another trigger, or while the automation is disabled. */
export function nextRunAt(
  { event, cron = '', timezone = 'UTC' }: AutomationTrigger,
  now: Date,
): string | null {
  if (event !== 'schedule') return null;
  return new Cron(cron.trim(), { paused: true, timezone }).nextRun(now)?.toISOString() ?? null;
}
