import type { FlagTable } from '../../spec/flag.ts';

/** The flags of fields that have other names in a request. */
export const WEBHOOK_FIELDS = {
  events: '--trigger',
  secret: '--secret-file',
  'filters.event_types': '--type',
  'filters.sources': '--source',
  'filters.resource_ids': '--resource',
  'filters.conditions': '--conditions',
  'rate_limit.per_second': '--rate-limit',
} as const;

/** Flags that narrow a subscription. */
export const FILTER_FLAGS = {
  type: {
    type: 'text',
    value: 'type',
    repeatable: true,
    summary: 'Only events of this type, such as push',
  },
  source: {
    type: 'text',
    value: 'source',
    repeatable: true,
    summary: 'Only events from this source, such as github',
  },
  resource: {
    type: 'text',
    value: 'id',
    repeatable: true,
    summary: 'Only events of this integration, or about the resource with this ID in the tool',
  },
  conditions: {
    type: 'text',
    value: 'json|@file|-',
    summary: 'Only events whose content meets these conditions',
  },
} as const satisfies FlagTable;
