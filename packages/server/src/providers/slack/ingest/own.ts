import { readPointer } from '../../../domain/json/json-pointer.ts';
import { list } from '../../texts/slack-text.ts';

// An edited message, or one whose links Slack has unfurled, is nested in the event.
const MESSAGES = ['/event', '/event/message', '/event/previous_message'];

/**
 * Reports whether an event is about a message that this app wrote. Without this check, a notification would come back
 * as an event and cause another notification, in an endless loop.
 */
export function isOwnMessage(payload: unknown): boolean {
  if (readPointer(payload, '/event/type') !== 'message') return false;
  const app = readPointer(payload, '/api_app_id');
  const bots = list(readPointer(payload, '/authorizations'))
    .filter((authorization) => readPointer(authorization, '/is_bot') === true)
    .map((authorization) => readPointer(authorization, '/user_id'));
  return MESSAGES.some((message) => {
    const apps = ['/app_id', '/bot_profile/app_id'].map((each) => readPointer(payload, message + each));
    const user = readPointer(payload, `${message}/user`);
    return (
      (typeof app === 'string' && apps.includes(app)) || (typeof user === 'string' && bots.includes(user))
    );
  });
}
