import { createHmac } from 'node:crypto';
import type { ReceivedCall, ReceiverResponse } from '../../api/support/stand-ins/receiver.ts';
import { type Calls, hmacHex, refusal, seconds, type Tool } from './tool.ts';

export const githubToken: Tool = {
  provider: 'github',
  credentials: { token: 'ghp_good', repository: 'acme/web' },
  channel: 'acme/web#12',
  api({ method, url }) {
    if (url === '/user') return { status: 200, body: { login: 'ada' } };
    if (url === '/repos/acme/web/hooks') return { status: 201, body: { id: 7 } };
    if (method === 'DELETE') return { status: 204 };
    return url === '/repos/acme/web/issues/12/comments' ? { status: 201, body: { id: 1 } } : undefined;
  },
  refusals: { 401: refusal(401, 'credentials.token'), 403: refusal(403, 'credentials.token') },
  destination: 'acme/web#12',
  removes: ({ method, url }) => method === 'DELETE' && url === '/repos/acme/web/hooks/7',
  calls: {
    prove: ({ secret, body, id }) => ({
      'x-hub-signature-256': `sha256=${hmacHex(secret, body)}`,
      'x-github-delivery': id,
      'x-github-event': 'pull_request',
    }),
    event: ({ padding = '' }) =>
      JSON.stringify({
        action: 'opened',
        pull_request: { number: 34, title: `Passkeys${padding}` },
        repository: { full_name: 'acme/web' },
        sender: { login: 'ada' },
      }),
    type: 'pull_request',
    summary: { subject: { id: 'acme/web#34' }, actor: { name: 'ada' } },
    success: [{ status: 202 }, { status: 200 }],
    maxAge: null,
  },
};

const GITLAB_KEY = Buffer.alloc(32, 7);

const gitlabApi = ({ method, url }: ReceivedCall): ReceiverResponse => {
  if (url === '/user') return { status: 200, body: { username: 'ada' } };
  if (method === 'DELETE') return { status: 204 };
  const hook = { id: 1, iid: 12, signing_token_present: true };
  return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: hook };
};

const gitlabCalls: Pick<Calls, 'event' | 'type' | 'summary' | 'success'> = {
  event: ({ padding = '' }) =>
    JSON.stringify({
      object_kind: 'merge_request',
      user: { username: 'ada' },
      project: { path_with_namespace: 'acme/web' },
      object_attributes: { iid: 34, title: `Passkeys${padding}`, action: 'open' },
    }),
  type: 'pull_request',
  summary: { subject: { id: 'acme/web!34' }, actor: { name: 'ada' } },
  success: [{ status: 202 }, { status: 200 }],
};

const gitlab = {
  provider: 'gitlab',
  channel: 'acme/web#12',
  api: gitlabApi,
  refusals: { 401: refusal(401, 'credentials.token'), 403: refusal(403, 'credentials.token') },
  destination: 'acme/web#12',
  removes: ({ method, url }: ReceivedCall) => method === 'DELETE' && url === '/projects/acme%2Fweb/hooks/1',
};

export const gitlabToken: Tool = {
  ...gitlab,
  credentials: { token: 'glpat-good', project: 'acme/web' },
  calls: {
    ...gitlabCalls,
    prove: ({ secret, id }) => ({
      'x-gitlab-token': secret,
      'x-gitlab-event': 'Merge Request Hook',
      'idempotency-key': id,
    }),
    maxAge: null,
  },
};

export const gitlabSigned: Tool = {
  ...gitlab,
  credentials: {
    token: 'glpat-good',
    project: 'acme/web',
    signing_token: `whsec_${GITLAB_KEY.toString('base64')}`,
  },
  calls: {
    ...gitlabCalls,
    secret: GITLAB_KEY.toString('latin1'),
    prove({ secret, body, at, id }) {
      const text = `${id}.${seconds(at)}.${body}`;
      const signature = createHmac('sha256', Buffer.from(secret, 'latin1')).update(text).digest('base64');
      return {
        'x-gitlab-event': 'Merge Request Hook',
        'webhook-id': id,
        'webhook-timestamp': seconds(at),
        'webhook-signature': `v1,${signature}`,
      };
    },
    maxAge: 300,
  },
};
