import { NOTIFICATION_TRIGGERS, SEVERITIES } from '@hubline/contract';
import { z } from 'zod';
import type { RuleOccurrence } from '../../../domain/notifications/rule.ts';
import { declareJob } from '../../../jobs/job-kind.ts';

/** The job that applies every rule that matches an occurrence. Its handler is in `match-rules-job.ts`. */
export const matchRules = declareJob({
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
});
