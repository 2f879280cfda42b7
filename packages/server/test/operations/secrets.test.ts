import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import { Api, type ReadResponse } from '../api/support/api.ts';
import {
  CLIENT,
  startAuthorizationServer,
  type Vendor,
} from '../api/support/stand-ins/fake-authorization-server.ts';
import { startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

const program = fileURLToPath(new URL('server-process.ts', import.meta.url));

async function startProcess(flags: object, env: Record<string, string>) {
  const child = spawn(process.execPath, [...programArguments(program), JSON.stringify(flags)], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = { out: '', log: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.log += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await until('a listening server', () => read.out.includes('\n'));
  const { url, setupUrl } = JSON.parse(read.out) as { url: string; setupUrl: string };
  return { url, setupUrl, read, child, ended };
}

/** A secret in every form in which it could leak: plain, and encoded at every alignment. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    [...secret].reverse().join(''),
  ];
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const shift of [0, 1, 2]) {
      const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString(encoding)
        .replace(/=+$/, '');
      // The first and last characters depend on the bytes next to the secret.
      forms.push(encoded.slice(Math.ceil((shift * 8) / 6), -2));
    }
  }
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

/** GitLab, with access tokens that expire and refresh tokens that rotate. */
const GITLAB: Vendor = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  pkce: true,
  scope: 'api',
  client: 'body',
  request: 'form',
  expiresIn: 7_200,
};

it('no secret gets into the log, the database or an error body', { timeout: 90_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-secrets-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const flags = { data, port: 0, allowHttpLocalhost: true, logFormat: 'json', logLevel: 'debug' };
  await using gitlab = await startAuthorizationServer(GITLAB, ({ method }) => {
    if (method === 'POST') return { status: 201, body: { id: 7 } };
    // Its webhook cannot be removed, so the job for the removal keeps the credentials.
    return method === 'DELETE' ? { status: 500 } : { status: 200, body: [] };
  });
  const server = await startProcess(flags, {
    HUBLINE_GITLAB_API_URL: gitlab.url,
    HUBLINE_GITLAB_OAUTH_URL: gitlab.url,
    HUBLINE_CREDENTIAL_CHECK: 'skip',
    HUBLINE_METRICS_TOKEN: 'canary-metrics-token-0123456789',
  });
  await using receiver = await startReceiver();
  const secrets: Record<string, string> = { metricsToken: 'canary-metrics-token-0123456789' };

  // The first owner, by the setup link.
  secrets['setupToken'] = new URL(server.setupUrl).searchParams.get('token') ?? '';
  secrets['ownerPassword'] = 'canary owner 0123456789';
  const form = {
    token: secrets['setupToken'],
    password: secrets['ownerPassword'],
    email: 'ana@example.com',
    name: 'Acme',
    slug: 'acme',
  };
  const page = await fetch(`${server.url}/setup`, { method: 'POST', body: new URLSearchParams(form) });
  secrets['personalKey'] = /hl_[0-9A-Za-z]{36}/.exec(await page.text())?.[0] ?? '';
  secrets['session'] = /hubline_session_\d+=([^;]+)/.exec(page.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const api = new Api(`${server.url}/v1`, secrets['personalKey']);
  const { memberships } = await api.call('me.get');
  const workspaceId = memberships[0]?.workspace_id ?? '';
  const params = { id: workspaceId };

  // Calls every endpoint with a secret. Each call has an idempotency key, so that the responses are stored as well.
  const headers = { 'Idempotency-Key': 'one' };
  const key = await api.call('apiKeys.create', { params, headers, body: { name: 'ci' } });
  secrets['workspaceKey'] = key.key;
  secrets['webhookSecret'] = 'canary webhook secret: "5+5"/ä';
  const webhook = await api.call('webhooks.create', {
    body: {
      url: receiver.url,
      events: ['*'],
      workspace_id: workspaceId,
      secret: secrets['webhookSecret'],
    },
    headers: { 'Idempotency-Key': 'two' },
  });
  const rotated = await api.call('webhooks.rotateSecret', {
    params: { webhookId: webhook.id },
    headers: { 'Idempotency-Key': 'three' },
    body: { overlap_seconds: 3_600 },
  });
  secrets['rotatedSecret'] = rotated.secret ?? '';
  secrets['credential'] = 'ghp_canaryCredential0123456789';
  const integration = await api.call('integrations.connect', {
    headers: { 'Idempotency-Key': 'four' },
    body: {
      provider: 'github',
      workspace_id: workspaceId,
      credentials: { token: secrets['credential'] },
    },
  });
  secrets['ingestSecret'] = integration.ingest?.secret ?? '';
  const invited = await api.call('members.invite', {
    params,
    headers: { 'Idempotency-Key': 'five' },
    body: { email: 'bob@example.com' },
  });
  secrets['inviteToken'] = new URL(invited.invite_url).searchParams.get('token') ?? '';
  secrets['password'] = 'canary password 0123456789';
  await api.as(null).call('invitations.accept', {
    body: { token: secrets['inviteToken'], password: secrets['password'] },
  });

  // A tool that is connected with OAuth, and a sync with it.
  const app = { provider: 'gitlab', ...CLIENT };
  await api.call('oauth.configureApp', { params, headers: { 'Idempotency-Key': 'six' }, body: app });
  secrets['clientSecret'] = CLIENT.client_secret;
  const flow = await api.call('oauth.start', {
    params: { provider: 'gitlab' },
    headers: { 'Idempotency-Key': 'seven' },
    body: { workspace_id: workspaceId, settings: { project: 'acme/web' } },
  });
  secrets['linkToken'] = new URL(flow.url).searchParams.get('token') ?? '';
  const entered = await fetch(flow.url);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  secrets['browser'] = cookie.split('=')[1] ?? '';
  const link = /<a href="([^"]+)">Continue/.exec(await entered.text())?.[1] ?? '';
  const back = gitlab.decide(link.replaceAll('&amp;', '&'), 'allow');
  secrets['code'] = new URL(back).searchParams.get('code') ?? '';
  expect(await (await fetch(back, { headers: { cookie } })).text()).toContain('GitLab is connected');
  secrets['accessToken'] = [...gitlab.tokens][0] ?? '';
  secrets['refreshToken'] = [...gitlab.refreshTokens][0] ?? '';
  const { integration_id: integrationId } = await api.call('oauth.get', {
    params: { id: workspaceId, flowId: flow.flow_id },
  });
  await api.call('integrations.sync', {
    params: { integrationId: integrationId ?? '' },
    headers: { 'Idempotency-Key': 'eight' },
  });

  const answers: ReadResponse[] = [];
  for (const path of [
    `/integrations/${integrationId}`,
    `/workspaces/${workspaceId}/integrations`,
    `/workspaces/${workspaceId}/oauth-apps`,
    `/workspaces/${workspaceId}/oauth-flows/${flow.flow_id}`,
  ])
    answers.push(await api.request('GET', path));
  await api.call('integrations.disconnect', { params: { ...params, integrationId: integrationId ?? '' } });
  await until('the removal was tried', () => gitlab.calls.some(({ method }) => method === 'DELETE'));
  answers.push(await api.request('GET', `/workspaces/${workspaceId}/audit-log`));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(15);
  await api.call('events.publish', { params, body: { type: 'deploy', payload: {} } });
  await until('a signed call', () => receiver.calls.length > 0);

  // Sends each secret where it does not belong.
  const refusals: ReadResponse[] = [];
  for (const secret of Object.values(secrets)) {
    const quoted = encodeURIComponent(secret);
    const latin = Buffer.from(secret).toString('latin1');
    const stranger = api.as(null);
    const tries = [
      stranger.request('GET', '/me', { headers: { Authorization: `Bearer ${latin}x` } }),
      stranger.request('GET', '/me', { headers: { Authorization: latin } }),
      stranger.request('GET', '/workspaces', {
        headers: {
          Cookie: `hubline_session_${new URL(server.url).port}=${quoted}x`,
          'X-Hubline-Dashboard': '1',
          'Sec-Fetch-Site': 'same-origin',
        },
      }),
      api.request('GET', `/workspaces/${quoted}`),
      api.request('GET', `/webhooks/${quoted}/deliveries?status=${quoted}`),
      api.request('GET', `/workspaces/${workspaceId}/events?cursor=${quoted}&limit=${quoted}`),
      api.request('GET', `/workspaces/${workspaceId}/events?since=${quoted}`),
      api.request('POST', '/webhooks', { text: `{"secret": ${JSON.stringify(secret)}, oops` }),
      api.request('POST', '/webhooks', {
        body: { workspace_id: workspaceId, url: secret, events: [secret], secret: [secret] },
      }),
      api.request('POST', '/webhooks', {
        headers: { 'Idempotency-Key': latin },
        body: { workspace_id: workspaceId, secret },
      }),
      api.request('POST', '/integrations/connect', {
        body: { provider: secret, workspace_id: workspaceId, credentials: { token: [secret] } },
      }),
      api.request('PATCH', `/workspaces/${workspaceId}`, { body: { slug: secret, plan: secret } }),
      stranger.request('POST', '/invitations/accept', { body: { token: `${secret}x`, password: secret } }),
      stranger.request('POST', `/ingest/${integration.integration_id}`, {
        headers: { 'X-Hub-Signature-256': `sha256=${latin}`, 'X-GitHub-Event': 'push' },
        body: { secret },
      }),
    ];
    refusals.push(...(await Promise.all(tries)));
  }
  expect(refusals.filter(({ status }) => status < 400)).toEqual([]);

  const stored = new Map<string, Buffer>();
  const collect = async (when: string) => {
    for (const name of await readdir(data)) {
      if (name !== 'master.key') stored.set(`${name} ${when}`, await readFile(join(data, name)));
    }
  };
  await collect('while it runs');
  expect([...stored.keys()]).toContain('hubline.db-wal while it runs');
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await collect('after it stopped');
  stored.set('the log', Buffer.from(server.read.log));
  stored.set('answers', Buffer.from(answers.map(({ text }) => text).join('\n')));
  stored.set('error bodies', Buffer.from(refusals.map(({ text }) => text).join('\n')));

  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).flatMap((form) =>
      [...stored].flatMap(([place, bytes]) =>
        bytes.includes(form) ? [`${name} in ${place}: ${form.toString()}`] : [],
      ),
    ),
  );
  expect(found).toEqual([]);

  // The log does say what happened.
  const lines = server.read.log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const published = lines.filter((line) => line['route'] === '/v1/workspaces/{id}/events');
  expect(published.find((line) => line['method'] === 'POST')).toEqual({
    level: 30,
    time: expect.stringMatching(/Z$/),
    msg: 'request',
    request_id: expect.stringMatching(/^req_/),
    method: 'POST',
    route: '/v1/workspaces/{id}/events',
    status: 201,
    ms: expect.any(Number),
    user_id: expect.stringMatching(/^usr_/),
    key_id: expect.stringMatching(/^key_/),
    workspace_id: workspaceId,
  });
  const requestIds = new Set(lines.map((line) => line['request_id']));
  for (const { headers } of refusals) expect(requestIds.has(headers.get('x-request-id'))).toBe(true);
});
