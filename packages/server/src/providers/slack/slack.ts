import { slackActions } from './actions.ts';
import { checkSlack } from './check.ts';
import { notifySlack } from './notify.ts';
import { slackOAuth } from './oauth.ts';
import { receiveSlackCall } from './ingest/receive.ts';
import { setUpSlack } from './set-up.ts';
import { verifySlackCall } from './ingest/verify.ts';
import type { Provider } from '../provider.ts';

/** Slack, through an app of the operator's own or through one incoming webhook. */
export const slack: Provider = {
  key: 'slack',
  name: 'Slack',
  description:
    'Messages, mentions, reactions and all other events of the Events API; sends notifications as channel messages.',
  repeatable: false,
  signing: ({ webhook_url: url }) => (url === undefined ? { name: 'signing_secret' } : null),
  receives: ({ webhook_url: url }) => url === undefined,
  checkCredentials: () => [],
  headers: () => ['x-slack-signature', 'x-slack-request-timestamp', 'content-type'],
  targets: ({ webhook_url: url }) => (url === undefined ? [] : [{ field: 'credentials.webhook_url', url }]),
  verify: verifySlackCall,
  receive: receiveSlackCall,
  // Slack would show any other response to the user who typed the slash command.
  success: { status: 200 },
  validate: checkSlack,
  notify: notifySlack,
  actions: slackActions,
  oauth: slackOAuth,
  setUp: setUpSlack,
};
