import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  oneLine,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstTime } from '../../../domain/events/reading.ts';

const CHANNEL = ['/channelData/channel/id', '/channelData/teamsChannelId'];

/** Reduces an activity to what timelines, filters and templates need. Never throws, whatever the payload holds. */
export function summarizeTeams(type: string, payload: unknown): EventSummary {
  const actor = firstText(payload, ['/from/aadObjectId', '/from/id']);
  const name = firstText(payload, ['/from/name']);
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: type === 'message' ? 'posted' : null,
    actor: actor === null && name === null ? null : { id: actor, name: name ?? actor },
    subject: subject(type, payload),
    container: container(payload),
    occurred_at: firstTime(payload, ['/timestamp']),
  };
  return { ...summary, text: written(readPointer(payload, '/text')) || sentence(type, summary) };
}

function subject(type: string, payload: unknown): SummaryEntity | null {
  const id = firstText(payload, ['/id']);
  if (type !== 'message' || id === null) return null;
  const channel = firstText(payload, CHANNEL);
  // learn.microsoft.com, "Deep link to a message".
  const url =
    channel === null
      ? null
      : `https://teams.microsoft.com/l/message/${encodeURIComponent(channel)}/${encodeURIComponent(id)}`;
  return { kind: 'message', id, name: null, url };
}

function container(payload: unknown): SummaryEntity | null {
  const id = firstText(payload, CHANNEL);
  if (id !== null)
    return { kind: 'channel', id, name: firstText(payload, ['/channelData/channel/name']) ?? id, url: null };
  const team = firstText(payload, ['/channelData/team/id', '/channelData/teamsTeamId']);
  if (team === null) return null;
  return { kind: 'team', id: team, name: firstText(payload, ['/channelData/team/name']) ?? team, url: null };
}

const ENTITIES = new Map([
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

// Longer than the line that is kept.
const READ_MAX = 4_000;

/** Reads the HTML of a message, without the mention of the webhook itself at its beginning. */
function written(html: unknown): string {
  if (typeof html !== 'string') return '';
  const text = html
    .slice(0, READ_MAX)
    .replace(/^\s*<at>[^<]*<\/at>/, '')
    .replaceAll(/<[^<>]*>/g, ' ');
  return oneLine(
    text.replaceAll(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => ENTITIES.get(entity) ?? entity),
  );
}
