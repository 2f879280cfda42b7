import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstTime } from '../../../domain/events/reading.ts';
import { notionAction } from './events.ts';

/**
 * Reduces an event to what timelines, filters and templates need. Notion sends only IDs: titles and names would cost a
 * request each. Never throws, whatever the payload holds.
 */
export function summarizeNotion(payload: unknown): EventSummary {
  const author = firstText(payload, ['/authors/0/id']);
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: notionAction(readPointer(payload, '/type')),
    actor: author === null ? null : { id: author, name: null },
    subject: entity(readPointer(payload, '/entity')),
    container: container(payload),
    occurred_at: firstTime(payload, ['/timestamp']),
  };
  return { ...summary, text: sentence(summary.subject?.kind ?? '', summary) };
}

function container(payload: unknown): SummaryEntity | null {
  const parent = entity(readPointer(payload, '/data/parent'));
  // A space is the workspace, which has a name.
  if (parent !== null && parent.kind !== 'space') return parent;
  const id = firstText(payload, ['/workspace_id']);
  if (id === null) return null;
  return { kind: 'workspace', id, name: firstText(payload, ['/workspace_name']), url: null };
}

const PAGE_ID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
// The kinds that have a page under their ID.
const PAGES: ReadonlySet<string> = new Set(['page', 'database']);

function entity(value: unknown): SummaryEntity | null {
  const id = firstText(value, ['/id']);
  const kind = firstText(value, ['/type']);
  if (id === null) return null;
  const opens = kind !== null && PAGES.has(kind) && PAGE_ID.test(id);
  return { kind, id, name: null, url: opens ? `https://www.notion.so/${id.replaceAll('-', '')}` : null };
}
