import type { Event, ListedEvent } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

const eventFields = [
  'event_id',
  'type',
  'source',
  'created_at',
  'workspace_id',
  'integration_id',
  'summary',
  'payload',
] as const;

export const eventView = view<ListedEvent>()({
  noun: ['event', 'events'],
  fields: [...eventFields, 'payload_omitted', 'deliveries'],
  columns: [
    'event_id',
    'type',
    'source',
    'created_at',
    { path: 'summary.text', header: 'SUMMARY', flexible: true },
  ],
  id: 'event_id',
});

/** A published event in full, or the ID of one of a batch. */
export type PublishedEvent = Pick<Event, 'event_id'> & Partial<Event>;

export const publishedEventView = view<PublishedEvent>()({
  noun: ['event', 'events'],
  fields: eventFields,
  columns: ['event_id', 'type', 'source', 'created_at'],
  id: 'event_id',
});
