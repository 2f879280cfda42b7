import type { Action, ActionKind } from './action.ts';
import { callWebhook } from './call-webhook.ts';
import { createEvent } from './create-event.ts';
import { sendNotification } from './send-notification.ts';
import { vendorAction } from './vendor-action.ts';

/** Every kind of action except `wait`, which only lets time pass. */
const KINDS: Readonly<Record<Exclude<Action['type'], 'wait'>, ActionKind<Action, object>>> = {
  send_notification: sendNotification,
  call_webhook: callWebhook,
  create_event: createEvent,
  'github.create_issue': vendorAction,
  'github.comment': vendorAction,
  'linear.create_issue': vendorAction,
  'jira.create_issue': vendorAction,
  'slack.post_message': vendorAction,
  'notion.append': vendorAction,
};

/** The code that performs an action. */
export const kindOf = (action: Exclude<Action, { type: 'wait' }>): ActionKind<Action, object> =>
  KINDS[action.type];
