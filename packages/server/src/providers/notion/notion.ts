import { notionActions } from './actions.ts';
import { checkNotionToken } from './check.ts';
import { notifyNotion } from './notify.ts';
import { notionOAuth } from './oauth.ts';
import { receiveNotionCall } from './ingest/receive.ts';
import { verifyNotionCall } from './ingest/verify.ts';
import { notionSync } from './sync.ts';
import type { Credentials, Provider, Setup } from '../provider.ts';

/** Notion, through an internal integration. A person creates its webhook subscriptions, because the API cannot. */
export const notion: Provider = {
  key: 'notion',
  name: 'Notion',
  description:
    'Changes of pages, databases and comments, by ID and without their text; sends notifications as comments.',
  repeatable: false,
  signing: () => ({ name: 'verification_token' }),
  checkCredentials: () => [],
  headers: () => ['x-notion-signature'],
  targets: () => [],
  verify: verifyNotionCall,
  receive: receiveNotionCall,
  success: { status: 200 },
  validate: checkNotionToken,
  notify: notifyNotion,
  sync: notionSync,
  oauth: notionOAuth,
  actions: notionActions,
  setUp,
  verificationToken: (credentials) => credentials['verification_token'],
};

function setUp(ingestUrl: string, { token, verification_token: known }: Credentials): Setup {
  const page = 'https://www.notion.so/profile/integrations';
  const secret =
    token === undefined
      ? [
          `Open ${page}, create an internal integration, copy its secret, and reconnect the integration with it as token.`,
        ]
      : [];
  const subscription =
    known === undefined
      ? [
          `Open ${page}, choose the integration, Webhooks, Create a subscription, and enter the URL ${ingestUrl}.`,
          'Choose the events, and Create subscription. Notion then sends a verification token, which is shown here.',
        ]
      : [`Notion has sent the verification token of a subscription to ${ingestUrl}.`];
  return {
    steps: [
      ...secret,
      ...subscription,
      'Choose Verify at the subscription, and paste the verification token.',
      'Open each page that the integration should see, and add the integration in the menu of the page, under Connections.',
    ],
  };
}
