import { NOTICES, SEVERITIES } from '@hubline/contract';
import { z } from 'zod';
import type { Fact } from '../../../domain/notifications/rule.ts';

/** Something that happened, as far as notification rules need it. */
export interface RuleOccurrence {
  workspaceId: string;
  /** The id of the event, or one of its own: every rule reports it once. */
  id: string;
  fact: Fact;
  /** The content, other than an event. */
  data: Record<string, unknown>;
}

/** The job that applies every rule that matches an occurrence: its name, and what is stored of it. */
export const matchRules = {
  name: 'match_rules',
  payload: z.object({
    workspaceId: z.string(),
    id: z.string(),
    fact: z.object({
      trigger: z.enum(NOTICES),
      type: z.string().optional(),
      source: z.string().optional(),
      integrationId: z.string().nullable().optional(),
      severity: z.enum(SEVERITIES).optional(),
    }),
    data: z.record(z.string(), z.unknown()),
  }) as z.ZodType<RuleOccurrence>,
};
