import type { FlagTable } from '../../spec/flag.ts';

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
    summary: 'Only events of this integration, or of this id in the provider',
  },
  conditions: {
    type: 'text',
    value: 'json|@file|-',
    summary: 'Only events whose content meets these conditions',
  },
} as const satisfies FlagTable;
