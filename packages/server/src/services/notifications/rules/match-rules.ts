import { NOTIFICATION_TRIGGERS, SEVERITIES } from '@hubline/contract';
import { z } from 'zod';
import type { RuleOccurrence } from '../../../domain/notifications/rule.ts';

/** The name and payload of the job that applies every rule that matches an occurrence. */
export const matchRules = {
  name: 'match_rules',
  payload: z.object({
    workspaceId: z.string(),
    id: z.string(),
    fact: z.object({
      trigger: z.enum(NOTIFICATION_TRIGGERS),
      type: z.string().optional(),
      source: z.string().optional(),
      integrationId: z.string().nullable().optional(),
      severity: z.enum(SEVERITIES).optional(),
    }),
    data: z.record(z.string(), z.unknown()),
  }) as z.ZodType<RuleOccurrence>,
};
