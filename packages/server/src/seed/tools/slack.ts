import { CHANNELS, CHAT, EVERYONE } from '../cast.ts';
import type { ToolMoment, ToolCall } from './tool.ts';

const TEAM_ID = 'T05FERNHL';
const BOT = 'U05HUBLIN';

/** Slack: messages, mentions and reactions. Shapes: docs.slack.dev, "Events API". */
export function slack({ random, now }: ToolMoment): ToolCall {
  const person = random.pick(EVERYONE);
  const channel = random.pick(CHANNELS);
  const ts = `${Math.floor(now.getTime() / 1_000)}.${random.integer(100_000, 999_999)}`;
  const common = { user: person.slack, ts, event_ts: ts };
  const profile = { real_name: person.name, display_name: person.name };
  const text = random.pick(CHAT);
  const message = {
    ...common,
    type: 'message',
    client_msg_id: random.uuid(),
    text,
    channel: channel.id,
    channel_type: 'channel',
    user_profile: profile,
    team: TEAM_ID,
  };
  const event = random.weighted<object>([
    [8, message],
    [1, { ...message, type: 'app_mention', text: `<@${BOT}> what failed in the last hour?` }],
    [
      2,
      {
        ...common,
        type: 'reaction_added',
        reaction: random.pick(['white_check_mark', 'eyes', 'rocket', 'tada']),
        item: { type: 'message', channel: channel.id, ts },
        item_user: random.pick(EVERYONE).slack,
        user_profile: profile,
      },
    ],
  ]);
  return {
    headers: { 'content-type': 'application/json' },
    body: {
      team_id: TEAM_ID,
      api_app_id: 'A05HUBLINE',
      type: 'event_callback',
      event,
      event_id: `Ev${random.hex(10).toUpperCase()}`,
      event_time: Math.floor(now.getTime() / 1_000),
      authorizations: [{ team_id: TEAM_ID, user_id: BOT, is_bot: true, is_enterprise_install: false }],
    },
  };
}
