import type { FlagTable } from '../../spec/flag.ts';

/** Flags that narrow a list of events. */
export const FILTER_FLAGS = {
  type: { type: 'text', value: 'type', summary: 'Only events of this type, such as push' },
  source: { type: 'text', value: 'source', summary: 'Only events from this source, such as github' },
  since: { type: 'time', value: 'time', summary: 'Only events after this time, or within this duration: 2h' },
} as const satisfies FlagTable;
