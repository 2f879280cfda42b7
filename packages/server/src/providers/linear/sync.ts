import { readPointer } from '../../domain/json/json-pointer.ts';
import type { EventSummary } from '../../domain/events/summary/summary.ts';
import { firstTime } from '../../domain/events/reading.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { FoundEvent, ProviderSync, SyncStep } from '../provider.ts';
import { linearApi } from './api.ts';
import { linearKey } from './ingest/change.ts';
import { linearType } from './ingest/events.ts';
import { isOwnId } from './ingest/own.ts';
import { summarizeLinear } from './ingest/summary.ts';

// The largest difference between the time of a call and the time of its change.
const TOLERANCE_MS = 2_000;

const ISSUES = `query ($since: DateTimeOrDuration!, $team: TeamFilter, $after: String) {
  issues(filter: { updatedAt: { gte: $since }, team: $team }, orderBy: updatedAt, first: 50, after: $after) {
    nodes {
      id identifier title description url priority number createdAt updatedAt
      state { id name type } team { id key name } assignee { id name } creator { id name } project { id name url }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
const COMMENTS = `query ($since: DateTimeOrDuration!, $team: TeamFilter, $after: String) {
  comments(filter: { createdAt: { gte: $since }, issue: { team: $team } }, orderBy: createdAt, first: 50, after: $after) {
    nodes { id body url createdAt updatedAt user { id name } issue { id identifier title url team { id key name } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const SEARCHES = { issues: { query: ISSUES, type: 'Issue' }, comments: { query: COMMENTS, type: 'Comment' } };

/** Searches the updated issues, then the new comments. It does not find deletions, projects, cycles or documents. */
export const linearSync: ProviderSync = {
  async step({ credentials }, { since, cursor }, tools): Promise<SyncStep> {
    const [name, after] = readCursor(cursor);
    const { query, type } = SEARCHES[name];
    const { team } = credentials;
    const response = await linearApi(credentials, tools).ask(query, {
      since: since.toISOString(),
      team: team === undefined ? {} : { key: { eq: team } },
      after,
    });
    if (!response.ok) {
      const refused = response.why === 'credentials' ? 'credentials' : 'request';
      return { ok: false, refused, reason: `Linear refused: ${response.message}` };
    }
    const nodes = readPointer(response.data, `/${name}/nodes`);
    const events = (Array.isArray(nodes) ? (nodes as unknown[]) : []).flatMap((node) =>
      isJsonObject(node) ? foundChanges(type, node, { since, secret: credentials['webhook_secret'] }) : [],
    );
    const end = readPointer(response.data, `/${name}/pageInfo/endCursor`);
    const hasMore =
      readPointer(response.data, `/${name}/pageInfo/hasNextPage`) === true && typeof end === 'string';
    const next = name === 'issues' ? 'comments ' : null;
    return { ok: true, events, called: 0, cursor: hasMore ? `${name} ${end}` : next };
  },
};

function readCursor(cursor: string | null): [name: keyof typeof SEARCHES, after: string | null] {
  const [name, after = ''] = cursor?.split(' ') ?? [];
  return [name === 'comments' ? 'comments' : 'issues', after === '' ? null : after];
}

/** The creation and the last change of an issue or a comment, in the form of Linear's own calls. */
function foundChanges(type: string, data: Record<string, unknown>, { since, secret }: Scope): FoundEvent[] {
  const created = firstTime(data, ['/createdAt']);
  const updated = type === 'Issue' ? firstTime(data, ['/updatedAt']) : created;
  const events: FoundEvent[] = [];
  if (created !== null && Date.parse(created) >= since.getTime() && !isOwn(data, secret)) {
    const actor = readPointer(data, type === 'Issue' ? '/creator' : '/user');
    const by = isJsonObject(actor) ? { actor } : {};
    const payload = { action: 'create', type, createdAt: created, ...by, data, url: data['url'] };
    const summary = summarizeLinear(payload);
    events.push({ event: eventOf(payload, summary, linearKey(payload) ?? `create:${String(data['id'])}`) });
  }
  if (updated !== null && updated !== created && Date.parse(updated) >= since.getTime()) {
    const payload = { action: 'update', type, createdAt: updated, data, url: data['url'] };
    const summary = summarizeLinear(payload);
    const earliest = new Date(Date.parse(updated) - TOLERANCE_MS).toISOString();
    events.push({
      event: eventOf(payload, summary, `update:${String(data['id'])}:${updated}`),
      isSameEvent: ({ subject, action, occurred_at: at }) =>
        subject?.id === summary.subject?.id && action === 'update' && at !== null && at >= earliest,
    });
  }
  return events;
}

interface Scope {
  since: Date;
  /** The secret that identifies our own comments and issues. */
  secret: string | undefined;
}

const isOwn = (data: Record<string, unknown>, secret: string | undefined) =>
  secret !== undefined && isOwnId(data['id'], secret);

const eventOf = (
  payload: { type: string },
  summary: EventSummary,
  dedupeKey: string,
): FoundEvent['event'] => ({
  kind: 'event',
  type: linearType(payload.type),
  source: 'linear',
  payload: JSON.stringify(payload),
  summary,
  dedupeKey,
});
