import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { hmacHex, refusal, seconds, type Tool } from './tool.ts';

const SLACK_SECRET = 'slack-signing-secret';
const slackRefusal = (error: string) => ({
  response: { status: 200, body: { ok: false, error } },
  field: 'credentials.token',
  code: 'credentials_refused' as const,
});

export const slackApp: Tool = {
  provider: 'slack',
  credentials: { token: 'xoxb-works', signing_secret: SLACK_SECRET },
  channel: '#releases',
  apiPath: '/api',
  api: ({ url }) =>
    url === '/api/auth.test' || url === '/api/chat.postMessage'
      ? { status: 200, body: { ok: true } }
      : undefined,
  refusals: { 401: slackRefusal('invalid_auth'), 403: slackRefusal('account_inactive') },
  destination: '#releases',
  calls: {
    secret: SLACK_SECRET,
    prove: ({ secret, body, at }) => ({
      'x-slack-request-timestamp': seconds(at),
      'x-slack-signature': `v0=${hmacHex(secret, `v0:${seconds(at)}:${body}`)}`,
    }),
    event: ({ id, padding = '' }) =>
      JSON.stringify({
        type: 'event_callback',
        event_id: id,
        event: { type: 'message', user: 'U1', text: `Hello${padding}`, channel: 'C1' },
      }),
    type: 'message',
    success: [{ status: 200 }, { status: 200 }],
    maxAge: 300,
    handshake: {
      body: '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRN"}',
      wrong: '{"type":"url_verification","challenge":"another"}',
      response: { status: 200, body: '3eZbrw1aBm2rZgRN' },
    },
  },
};

const slackWebhookRefusal = (status: number, text: string) => ({
  response: { status, text },
  field: 'credentials.webhook_url',
  code: 'credentials_refused' as const,
});

export const slackWebhook: Tool = {
  provider: 'slack',
  credentials: { webhook_url: 'https://hooks.slack.com/services/T/B/x' },
  apiPath: '/api',
  // Connecting tries the URL with an empty message.
  api: ({ url, body }) =>
    url !== '/services/T/B/x'
      ? undefined
      : body === '{}'
        ? { status: 400, text: 'no_text' }
        : { status: 200, text: 'ok' },
  refusals: { 401: slackWebhookRefusal(404, 'no_service'), 403: slackWebhookRefusal(403, 'invalid_token') },
  destination: 'hooks.slack.com',
};

const APPLICATION = '1234567890123456789';
const CHANNEL = '9876543210987654321';
const discordKeys = generateKeyPairSync('ed25519');
const discordKey = discordKeys.publicKey
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('hex');

export const discordApplication: Tool = {
  provider: 'discord',
  credentials: { bot_token: 'works', public_key: discordKey, application_id: APPLICATION },
  channel: CHANNEL,
  apiPath: '/api/v10',
  api({ method, url }) {
    if (url === '/api/v10/applications/@me')
      return { status: 200, body: { id: APPLICATION, verify_key: discordKey } };
    return method === 'POST' && url === `/api/v10/channels/${CHANNEL}/messages`
      ? { status: 200, body: { id: '1' } }
      : undefined;
  },
  refusals: {
    401: refusal(401, 'credentials.bot_token'),
    403: refusal(403, 'credentials.bot_token', 'destination_refused'),
  },
  destination: CHANNEL,
  calls: {
    secret: 'the private key of Discord',
    prove: ({ secret, body, at }) => {
      const signature = sign(null, Buffer.from(seconds(at) + body), discordKeys.privateKey);
      const isRight = secret === 'the private key of Discord';
      return {
        'x-signature-timestamp': seconds(at),
        'x-signature-ed25519': (isRight ? signature : Buffer.alloc(64, 7)).toString('hex'),
      };
    },
    event: ({ id, padding = '' }) =>
      JSON.stringify({
        version: 1,
        application_id: APPLICATION,
        type: 1,
        event: { type: 'ENTITLEMENT_CREATE', timestamp: '2026-01-02T03:04:05', data: { id, padding } },
      }),
    type: 'entitlement',
    success: [{ status: 204 }, { status: 204 }],
    maxAge: 300,
    handshake: {
      body: `{"version":1,"application_id":"${APPLICATION}","type":0}`,
      wrong: `{"version":1,"application_id":"1","type":0}`,
      response: { status: 204 },
    },
  },
};

const DISCORD_PATH = '/webhooks/1234567890123456789/x';

export const discordWebhook: Tool = {
  provider: 'discord',
  credentials: { webhook_url: `https://discord.com/api${DISCORD_PATH}` },
  apiPath: '/api/v10',
  api: ({ url }) =>
    url.startsWith(`/api/v10${DISCORD_PATH}`) ? { status: 200, body: { id: '1' } } : undefined,
  refusals: {
    401: refusal(401, 'credentials.webhook_url'),
    403: refusal(403, 'credentials.webhook_url', 'destination_refused'),
  },
  destination: 'discord.com',
};

const WORKFLOW = '/workflows/abc/triggers/manual/paths/invoke?sig=s';
const workflow = {
  api: ({ url }: { url: string }) => (url === WORKFLOW ? { status: 202 } : undefined),
  // A workflow accepts everything, so connecting cannot check the credentials.
  refusals: { 401: refusal(401, null), 403: refusal(403, null) },
  fine: ['nothing'] as const,
  destination: 'prod-00.westus.logic.azure.com',
};
const webhook_url = `https://prod-00.westus.logic.azure.com:443${WORKFLOW}`;

export const teamsWorkflow: Tool = { provider: 'teams', credentials: { webhook_url }, ...workflow };

export const teamsOutgoingWebhook: Tool = {
  provider: 'teams',
  credentials: { security_token: 'dGVhbXMtc2VjdXJpdHktdG9rZW4=', webhook_url },
  ...workflow,
  calls: {
    secret: 'teams-security-token',
    prove: ({ secret, body }) => ({
      authorization: `HMAC ${createHmac('sha256', secret).update(body).digest('base64')}`,
    }),
    event: ({ id, padding = '' }) =>
      JSON.stringify({
        type: 'message',
        id,
        conversation: { id: '19:abc@thread.tacv2' },
        from: { id: '29:1', name: 'Ada' },
        text: `<at>Hubline</at> Hello${padding}`,
      }),
    type: 'message',
    summary: { actor: { name: 'Ada' } },
    success: [
      { status: 200, body: '{"type":"message","text":"Hubline has received this message."}' },
      { status: 200, body: '{"type":"message","text":"Hubline has received this message."}' },
    ],
    maxAge: null,
  },
};
