import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { firstText, firstTime, firstUrl, type Pointers } from '../../../domain/events/reading.ts';
import { readPointer } from '../../../domain/json/json-pointer.ts';
import { eventName, slackAction } from './events.ts';
import { nestedText, plain } from '../../texts/slack-text.ts';

const ACTOR_IDS: Pointers = [
  '/event/user',
  '/event/user/id',
  '/event/message/user',
  '/event/user_id',
  '/event/channel/creator',
  '/event/bot_id',
  '/user/id',
  '/user_id',
];
// Most events have only the ID of a user: the name would cost a request.
const ACTOR_NAMES: Pointers = [
  '/event/username',
  '/event/user_profile/display_name',
  '/event/user_profile/real_name',
  '/event/bot_profile/name',
  '/event/user/real_name',
  '/event/user/name',
  '/user/username',
  '/user/name',
  '/user_name',
];
const CHANNEL_IDS: Pointers = [
  '/event/channel',
  '/event/channel/id',
  '/event/item/channel',
  '/event/channel_id',
  '/channel/id',
  '/channel_id',
];
const CHANNEL_NAMES: Pointers = ['/event/channel/name', '/channel/name', '/channel_name'];

/** Reduces a call of Slack to what timelines, filters and templates need. Never throws, whatever the payload holds. */
export function summarizeSlack(type: string, payload: unknown): EventSummary {
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: slackAction(payload),
    actor: actor(payload),
    subject: subject(type, payload),
    container: container(payload),
    occurred_at: firstTime(payload, ['/event_time', '/minute_rate_limited']),
  };
  return { ...summary, text: written(payload) ?? sentence(type, summary) };
}

function actor(payload: unknown): EventSummary['actor'] {
  const id = firstText(payload, ACTOR_IDS);
  const name = firstText(payload, ACTOR_NAMES);
  return id === null && name === null ? null : { id, name: name ?? id };
}

function subject(type: string, payload: unknown): SummaryEntity | null {
  switch (type) {
    case 'message': {
      const id = firstText(payload, [
        '/event/message/ts',
        '/event/deleted_ts',
        '/event/item/ts',
        '/event/ts',
      ]);
      return { kind: 'message', id, name: null, url: null };
    }
    case 'file': {
      const id = firstText(payload, ['/event/file_id', '/event/file/id']);
      const name = firstText(payload, ['/event/file/title', '/event/file/name']);
      return { kind: 'file', id, name, url: firstUrl(payload, ['/event/file/permalink']) };
    }
    case 'channel':
      return container(payload);
    case 'slash_command':
      return { kind: 'command', id: null, name: firstText(payload, ['/command']), url: null };
    default:
      return null;
  }
}

function container(payload: unknown): SummaryEntity | null {
  const id = firstText(payload, CHANNEL_IDS);
  const team = firstText(payload, ['/team_id', '/team/id']);
  if (id !== null) {
    const name = firstText(payload, CHANNEL_NAMES);
    return { kind: 'channel', id, name: name ?? id, url: channelUrl(team, id) };
  }
  if (team === null) return null;
  return {
    kind: 'workspace',
    id: team,
    name: firstText(payload, ['/team/domain', '/team_domain']) ?? team,
    url: null,
  };
}

const ID = /^[A-Z\d]{1,50}$/;

function channelUrl(team: string | null, channel: string): string | null {
  if (team === null || !ID.test(team) || !ID.test(channel)) return null;
  return `https://slack.com/app_redirect?team=${team}&channel=${channel}`;
}

function written(payload: unknown): string | null {
  if (eventName(payload).startsWith('reaction_')) return firstText(payload, ['/event/reaction']);
  const text = firstText(payload, ['/event/text', '/event/message/text', '/text', '/actions/0/text/text']);
  const words = text ?? nestedText(readPointer(payload, '/event'));
  return (words === null ? '' : plain(words)) || null;
}
