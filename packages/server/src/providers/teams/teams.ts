import { notifyTeams } from './notify.ts';
import { receiveTeamsCall } from './ingest/receive.ts';
import { hmacSha256, isDigest } from '../signatures/hmac.ts';
import type { Credentials, IngestRequest, Provider, Setup, Verdict } from '../provider.ts';

const receives = ({ security_token: token, webhook_url: url }: Credentials) =>
  token !== undefined || url === undefined;

/** Microsoft Teams, through an outgoing webhook of a team and through a workflow that posts to a channel. */
export const teams: Provider = {
  key: 'teams',
  name: 'Microsoft Teams',
  description:
    'Messages that mention an outgoing webhook in a channel; sends notifications as cards that a workflow posts.',
  repeatable: false,
  signing: (credentials) => (receives(credentials) ? { name: 'security_token' } : null),
  receives,
  checkCredentials: () => [],
  headers: () => ['authorization'],
  targets: ({ webhook_url: url }) => (url === undefined ? [] : [{ field: 'credentials.webhook_url', url }]),
  verify,
  receive: receiveTeamsCall,
  // Teams shows the response below the message, or an error if there is none.
  success: {
    status: 200,
    body: {
      type: 'application/json',
      text: JSON.stringify({ type: 'message', text: 'Hubline has received this message.' }),
    },
  },
  notify: notifyTeams,
  setUp,
};

// Only the message is signed, not the time of the call. A replayed call is recognized by the ID of its message.
function verify({ headers, body }: IngestRequest, credentials: Credentials): Verdict {
  const token = credentials['security_token'];
  if (!token) return { ok: false, reason: 'the integration has no security_token' };
  const [, given = ''] = /^HMAC (\S+)$/.exec(headers['authorization'] ?? '') ?? [];
  return isDigest(hmacSha256(Buffer.from(token, 'base64'), [body]), given, 'base64')
    ? { ok: true }
    : { ok: false, reason: 'wrong signature' };
}

function setUp(ingestUrl: string, { security_token: token, webhook_url: url }: Credentials): Setup {
  if (token === undefined && url !== undefined) {
    const step = `No further setup is needed: a workflow only posts messages. Teams does not call ${ingestUrl}.`;
    return { steps: [step] };
  }
  const mention =
    'Write a message in a channel of the team that mentions the webhook by its name. Teams shows a reply below it.';
  if (token !== undefined)
    return {
      steps: [
        `Teams calls ${ingestUrl}, the callback URL of the outgoing webhook. If it names another, make a new webhook, and reconnect the integration with its token.`,
        mention,
      ],
    };
  return {
    steps: [
      'In Teams, open the menu of the team, Manage team, Apps, and choose Create an outgoing webhook.',
      `Enter a name, the callback URL ${ingestUrl}, and a description, and choose Create.`,
      'Copy the security token, which is shown once, and reconnect the integration with it as security_token.',
      mention,
    ],
  };
}
