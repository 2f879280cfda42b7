import { readPointer } from '../../domain/json/json-pointer.ts';
import { firstTime } from '../../domain/events/reading.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { FoundEvent, ProviderSync } from '../provider.ts';
import { notionApi } from './api.ts';
import { notionType } from './ingest/events.ts';
import { summarizeNotion } from './ingest/summary.ts';

const MINUTE_MS = 60_000;

/**
 * Searches the edited pages and data sources. Notion's search says that a page was edited and by whom, but not what
 * changed. It finds neither comments nor deleted pages.
 */
export const notionSync: ProviderSync = {
  async step({ credentials }, { since, cursor }, tools) {
    const { status, body, message } = await notionApi(credentials, tools).call('POST', '/v1/search', {
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      page_size: 100,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    const results = readPointer(body, '/results');
    if (status !== 200 || !Array.isArray(results)) {
      const reason = `Notion responded with ${status || 'nothing'}${message && `: ${message}`}`;
      return { ok: false, refused: status === 401 ? 'credentials' : 'request', reason };
    }
    const events = results.flatMap((entity: unknown) => foundEdits(entity, since));
    const next = readPointer(body, '/next_cursor');
    const oldest = firstTime(results.at(-1), ['/last_edited_time']);
    const isOver =
      typeof next !== 'string' || (oldest !== null && Date.parse(oldest) + MINUTE_MS <= since.getTime());
    return { ok: true, events, called: 0, cursor: isOver ? null : next };
  },
};

/** The creation and the last edit of a page, if they are recent. Notion gives their times to the minute. */
function foundEdits(entity: unknown, since: Date): FoundEvent[] {
  const id = readPointer(entity, '/id');
  const kind = readPointer(entity, '/object');
  const created = firstTime(entity, ['/created_time']);
  const edited = firstTime(entity, ['/last_edited_time']);
  if (typeof id !== 'string' || typeof kind !== 'string' || !isJsonObject(entity)) return [];
  const isRecent = (at: string | null): at is string =>
    at !== null && Date.parse(at) + MINUTE_MS > since.getTime();
  const found = (action: 'created' | 'updated', at: string): FoundEvent => {
    const author = readPointer(entity, action === 'created' ? '/created_by' : '/last_edited_by');
    const payload = {
      type: `${kind}.${action}`,
      timestamp: at,
      authors: isJsonObject(author) ? [author] : [],
      entity: { id, type: kind },
      data: { parent: parentOf(readPointer(entity, '/parent')) },
      // The page as the search returns it, untouched.
      found: entity,
    };
    return {
      event: {
        kind: 'event',
        type: notionType(payload.type),
        source: 'notion',
        payload: JSON.stringify(payload),
        summary: summarizeNotion(payload),
        dedupeKey: `${action}:${id}:${at}`,
      },
      isSameEvent: ({ subject, action: received, occurred_at: when }) =>
        subject?.id === id &&
        (received === 'created') === (action === 'created') &&
        when !== null &&
        when >= at,
    };
  };
  return [
    ...(isRecent(created) ? [found('created', created)] : []),
    ...(isRecent(edited) && edited !== created ? [found('updated', edited)] : []),
  ];
}

/** A parent as events name it: `{type: "page_id", page_id: "…"}` is `{type: "page", id: "…"}`. */
function parentOf(parent: unknown): unknown {
  const type = readPointer(parent, '/type');
  const id = typeof type === 'string' ? readPointer(parent, `/${type}`) : undefined;
  return typeof type === 'string' && typeof id === 'string' ? { type: type.replace(/_id$/, ''), id } : null;
}
