import { TRIGGERS } from '@hubline/contract/constants';
import type { IntegrationConfig } from '@hubline/contract/types';
import type { FlagTable, FlagValues } from '../spec/flag.ts';

/** The flags that set how an integration notifies. */
export const CONFIG_FLAGS = {
  channel: { type: 'text', value: 'name', summary: 'Destination of notifications, such as #releases' },
  'notify-on': {
    type: 'text',
    value: 'trigger',
    choices: TRIGGERS,
    repeatable: true,
    summary: 'Trigger to notify on; kept for a later version, today only tests are sent',
  },
  severity: {
    type: 'text',
    value: 'level',
    repeatable: true,
    summary: 'Severity to notify on, such as high; kept for a later version',
  },
} as const satisfies FlagTable;

/** The settings that were given, and nothing else. */
export function integrationConfig({
  channel,
  notifyOn,
  severity,
}: FlagValues<typeof CONFIG_FLAGS>): IntegrationConfig {
  return {
    ...(channel !== undefined && { channel }),
    ...(notifyOn.length > 0 && { notify_on: notifyOn }),
    ...(severity.length > 0 && { filters: { severity } }),
  };
}
