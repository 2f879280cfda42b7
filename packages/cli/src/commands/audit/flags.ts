import type { FlagTable, FlagValues } from '../../spec/flag.ts';

/** What narrows the audit log. */
export const FILTER_FLAGS = {
  action: { type: 'text', value: 'action', summary: 'Only this action, such as member.invited' },
  actor: { type: 'text', value: 'id', summary: 'Only what this user did' },
  target: { type: 'text', value: 'id', summary: 'Only what was done to this' },
  since: { type: 'time', value: 'time', summary: 'Only after this time, or within this duration: 7d' },
  until: { type: 'time', value: 'time', summary: 'Only before this time' },
} as const satisfies FlagTable;

/** The filters of a request. */
export const auditFilters = ({ action, actor, target, since, until }: FlagValues<typeof FILTER_FLAGS>) => ({
  action,
  actor,
  target,
  since,
  until,
});
