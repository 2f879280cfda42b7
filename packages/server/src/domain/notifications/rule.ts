import type { NotificationRule, NotificationTrigger, Severity } from '@hubline/contract';
import type { z } from 'zod';
import type { Conditions } from '../conditions/conditions.ts';

type Stored = z.output<typeof NotificationRule>;

/** The settings of a rule. */
export type RuleSettings = Pick<
  Stored,
  | 'notify_on'
  | 'types'
  | 'sources'
  | 'integration_ids'
  | 'filters'
  | 'conditions'
  | 'destinations'
  | 'critical'
  | 'digest'
  | 'quiet_hours'
  | 'dedupe'
>;

/**
 * A rule, wherever it comes from: made by a member, the settings of an integration, or the notifications that owners and admins always
 * get.
 */
export interface Rule extends Omit<RuleSettings, 'conditions'> {
  /** Its ID, the ID of the integration, or `owners`. */
  readonly key: string;
  readonly name: string;
  readonly template_id: string | null;
  readonly conditions: Conditions | null;
}

/** The part of an occurrence that rules match. */
export interface Fact {
  trigger: NotificationTrigger;
  /** The type of an event; like the rest, absent for other triggers. */
  type?: string;
  source?: string;
  integrationId?: string | null;
  severity?: Severity | undefined;
}

/** An occurrence, as far as notification rules need it. */
export interface RuleOccurrence {
  workspaceId: string;
  /** The ID of the event, or one of its own: every rule reports it once. */
  id: string;
  fact: Fact;
  /** The data of a trigger other than an event. */
  data: Record<string, unknown>;
}

/** A part of a rule that selects occurrences. */
export type RulePart = 'notify_on' | 'types' | 'sources' | 'integration_ids' | 'filters';

/** Default settings: they choose everything and change nothing. */
export const PLAIN_SETTINGS = {
  types: null,
  sources: null,
  integration_ids: null,
  filters: null,
  critical: false,
  digest: null,
  quiet_hours: null,
  dedupe: null,
} satisfies Partial<Rule>;

/**
 * The first part of a rule that a fact does not match; `null` if all do. A filter of events matches nothing else. Conditions are checked
 * later.
 */
export function refusedBy(rule: Omit<RuleSettings, 'conditions'>, fact: Fact): RulePart | null {
  if (!rule.notify_on.includes(fact.trigger)) return 'notify_on';
  if (!includes(rule.types, fact.type)) return 'types';
  if (!includes(rule.sources, fact.source)) return 'sources';
  if (!includes(rule.integration_ids, fact.integrationId)) return 'integration_ids';
  // Only events have a severity: a rule for critical events may name other triggers besides.
  if (fact.trigger === 'event.created' && !includes(rule.filters?.severity, fact.severity)) return 'filters';
  return null;
}

const includes = (wanted: readonly string[] | null | undefined, value: string | null | undefined): boolean =>
  wanted == null || (value != null && wanted.includes(value));
