import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { firstText, firstTime, type Pointers } from '../../../domain/events/reading.ts';
import { readPointer } from '../../../domain/json/json-pointer.ts';
import { discordAction } from './events.ts';

const ACTOR_IDS: Pointers = ['/user/id', '/author/id', '/user_id'];
const ACTOR_NAMES: Pointers = [
  '/user/global_name',
  '/user/username',
  '/author/global_name',
  '/author/username',
];

/** Reduces a webhook event to what timelines, filters and templates need. Never throws, whatever the payload holds. */
export function summarizeDiscord(type: string, payload: unknown): EventSummary {
  const data = readPointer(payload, '/event/data');
  const id = firstText(data, ACTOR_IDS);
  const name = firstText(data, ACTOR_NAMES);
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: discordAction(readPointer(payload, '/event/type')),
    actor: id === null && name === null ? null : { id, name: name ?? id },
    subject: subject(type, payload, data),
    container: container(data),
    occurred_at: occurredAt(readPointer(payload, '/event/timestamp')),
  };
  return { ...summary, text: firstText(data, ['/content']) ?? sentence(noun(type), summary) };
}

// Discord's examples leave out the zone, which is UTC.
function occurredAt(given: unknown): string | null {
  const utc = typeof given === 'string' ? `${given}Z` : null;
  return firstTime({ given, utc }, ['/given', '/utc']);
}

// The type `application_authorized` contains the action, which the sentence would repeat.
const noun = (type: string): string => (type.startsWith('application_') ? 'application' : type);

function subject(type: string, payload: unknown, data: unknown): SummaryEntity | null {
  if (type === 'message' || type === 'entitlement')
    return { kind: type, id: firstText(data, ['/id']), name: null, url: null };
  const id = firstText(payload, ['/application_id']);
  return id === null ? null : { kind: 'application', id, name: null, url: null };
}

function container(data: unknown): SummaryEntity | null {
  const guild = firstText(data, ['/guild/id', '/guild_id']);
  if (guild !== null)
    return { kind: 'server', id: guild, name: firstText(data, ['/guild/name']) ?? guild, url: null };
  const lobby = firstText(data, ['/lobby_id']);
  const id = lobby ?? firstText(data, ['/channel_id']);
  return id === null ? null : { kind: lobby === null ? 'channel' : 'lobby', id, name: id, url: null };
}
