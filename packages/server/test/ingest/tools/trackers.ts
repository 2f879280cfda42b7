import { createHmac } from 'node:crypto';
import { hmacHex, refusal, seconds, type Tool } from './tool.ts';

const linearRefusal = (status: 401 | 403, type: string) => ({
  response: { status, body: { errors: [{ message: `${status} No`, extensions: { type } }] } },
  field: 'credentials.api_key',
  code: 'credentials_refused' as const,
});

export const linearApiKey: Tool = {
  provider: 'linear',
  credentials: { api_key: 'lin_api_good' },
  channel: 'ENG-7',
  api({ body }) {
    const field = /\{ (\w+)/.exec((JSON.parse(body) as { query: string }).query)?.[1] ?? '';
    const data: Record<string, object> = {
      viewer: { id: 'u1' },
      webhooks: { nodes: [] },
      webhookCreate: { success: true, webhook: { id: 'w1' } },
      webhookDelete: { success: true },
      commentCreate: { success: true },
    };
    return { status: 200, body: { data: { [field]: data[field] ?? null } } };
  },
  refusals: {
    401: linearRefusal(401, 'authentication error'),
    403: linearRefusal(403, 'authentication error'),
  },
  destination: 'ENG-7',
  removes: ({ body }) => body.includes('webhookDelete'),
  calls: {
    prove: ({ secret, body, id }) => ({ 'linear-signature': hmacHex(secret, body), 'linear-delivery': id }),
    event: ({ at, id, padding = '' }) =>
      JSON.stringify({
        action: 'create',
        type: 'Issue',
        actor: { id: 'u1', name: 'Ada' },
        data: { id, identifier: 'ENG-7', title: `Log in with a passkey${padding}` },
        webhookTimestamp: at.getTime(),
      }),
    type: 'issue',
    summary: { subject: { id: 'ENG-7' }, actor: { name: 'Ada' } },
    success: [{ status: 200 }, { status: 200 }],
    maxAge: 60,
  },
};

const site = { email: 'ada@example.com', api_key: 'good', domain: 'acme.atlassian.net' };

const jiraEvent: NonNullable<Tool['calls']>['event'] = ({ padding = '' }) =>
  JSON.stringify({
    webhookEvent: 'jira:issue_created',
    user: { displayName: 'Ada' },
    issue: { key: 'OPS-7', fields: { summary: `Disk is full${padding}` } },
  });

const jira: Tool = {
  provider: 'jira',
  credentials: site,
  channel: 'OPS-7',
  api({ method, url }) {
    if (url === '/rest/api/3/myself') return { status: 200, body: { accountId: 'a1' } };
    if (method === 'DELETE') return { status: 204 };
    const self = 'https://acme.atlassian.net/rest/webhooks/1.0/webhook/72';
    return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { self } };
  },
  refusals: { 401: refusal(401, 'credentials.api_key'), 403: refusal(403, 'credentials.api_key') },
  destination: 'OPS-7',
};

export const jiraApiToken: Tool = {
  ...jira,
  removes: ({ method, url }) => method === 'DELETE' && url === '/rest/webhooks/1.0/webhook/72',
  calls: {
    prove: ({ secret, body, id }) => ({
      'x-hub-signature': `sha256=${hmacHex(secret, body)}`,
      'x-atlassian-webhook-identifier': id,
    }),
    event: jiraEvent,
    type: 'issue',
    summary: { subject: { id: 'OPS-7' }, actor: { name: 'Ada' } },
    success: [{ status: 202 }, { status: 200 }],
    maxAge: null,
  },
};

const APP_SECRET = 'the-client-secret-of-the-app';
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const jiraApp: Tool = {
  ...jira,
  credentials: { ...site, client_secret: APP_SECRET },
  calls: {
    secret: APP_SECRET,
    prove({ secret, at, id }) {
      const claims = { iss: 'app', iat: Number(seconds(at)) };
      const content = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
      const signature = createHmac('sha256', secret).update(content).digest('base64url');
      return {
        authorization: `Bearer ${content}.${signature}`,
        'x-atlassian-webhook-identifier': id,
      };
    },
    event: jiraEvent,
    type: 'issue',
    summary: { subject: { id: 'OPS-7' } },
    success: [{ status: 202 }, { status: 200 }],
    maxAge: 300,
  },
};

const NOTION_KEY = 'secret_0123456789abcdefghijklmnopqrstuvwxyz';
const PAGE = '337e31d64eb980fab299c93680d85322';

export const notionToken: Tool = {
  provider: 'notion',
  credentials: { token: 'ntn_works' },
  channel: PAGE,
  api({ url }) {
    if (url === '/v1/users/me') return { status: 200, body: { object: 'user', id: 'bot-1' } };
    return url === '/v1/comments' ? { status: 200, body: { object: 'comment' } } : undefined;
  },
  refusals: {
    401: refusal(401, 'credentials.token'),
    403: refusal(403, 'credentials.token'),
  },
  destination: PAGE,
  calls: {
    secret: NOTION_KEY,
    prove: ({ secret, body }) => ({ 'x-notion-signature': `sha256=${hmacHex(secret, body)}` }),
    event: ({ id, padding = '' }) =>
      JSON.stringify({
        id,
        type: 'page.created',
        entity: { id: '337e31d6-4eb9-80fa-b299-c93680d85322', type: 'page' },
        padding,
      }),
    type: 'page',
    success: [{ status: 200 }, { status: 200 }],
    maxAge: null,
    handshake: {
      body: JSON.stringify({ verification_token: NOTION_KEY }),
      wrong: JSON.stringify({ verification_token: 'secret_of_somebody_else' }),
      response: { status: 200 },
      unsigned: true,
    },
  },
};
