import type { EventSummary as Schema } from '@hubline/contract';
import type { z } from 'zod';

/** What every provider's payload is reduced to. Every part may be null: org-level GitHub events have no repository. */
export type EventSummary = z.output<typeof Schema>;

/** What a summary points at: the subject of an event, or the container it is in. */
export type SummaryEntity = NonNullable<EventSummary['subject']>;

/** How urgent an event is. */
export type Severity = EventSummary['severity'];

/** A summary that says nothing, to spread what is known over. */
export const EMPTY_SUMMARY: EventSummary = {
  action: null,
  actor: null,
  subject: null,
  container: null,
  text: null,
  severity: 'none',
  occurred_at: null,
};

const TEXT_MAX = 280;

/** One line for people: white space folded, at most 280 characters, never half a surrogate pair. */
export function oneLine(text: string): string {
  const folded = text.toWellFormed().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim();
  const characters = [...folded];
  return characters.length <= TEXT_MAX ? folded : `${characters.slice(0, TEXT_MAX - 1).join('')}…`;
}
