import { createHash, createHmac } from 'node:crypto';
import type { EndpointOutput } from '@hubline/contract';
import { Webhook as Standard } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';

/** Each preset has a signer here, written from the vendor's documentation. No signer uses the code that checks the calls. */

let server: TestWorkspace & { stop(): Promise<void> };
let presets: EndpointOutput<'providers.listPresets'>['data'];
beforeAll(async () => {
  server = await startWorkspace();
  ({ data: presets } = await server.api.call('providers.listPresets', { query: { limit: '100' } }));
});
afterAll(() => server.stop());

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx';
const seconds = () => Math.floor(Date.now() / 1_000);

/** Signs a text. */
type Sum = (text: string, encoding?: 'hex' | 'base64' | 'base64url', algorithm?: string) => string;

const sumWith =
  (secret: string): Sum =>
  (text, encoding = 'hex', algorithm = 'sha256') =>
    createHmac(algorithm, secret).update(text).digest(encoding);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RFC 7515, as Netlify uses it: the token contains the hash of the body. */
function netlifyToken(body: string, sum: Sum): string {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const signed = `${part({ alg: 'HS256' })}.${part({ iss: 'netlify', sha256 })}`;
  return `${signed}.${sum(signed, 'base64url')}`;
}

type Sign = (body: string, sum: Sum, secret: string) => Record<string, string>;

const signers: Record<string, Sign> = {
  bitbucket: (body, sum) => ({ 'x-hub-signature': `sha256=${sum(body)}` }),
  circleci: (body, sum) => ({ 'circleci-signature': `v1=${sum(body)},v2=00` }),
  datadog: (_body, _sum, secret) => ({ authorization: `Bearer ${secret}` }),
  gitea: (body, sum) => ({ 'x-gitea-signature': sum(body) }),
  grafana: (body, sum) => {
    const at = String(seconds());
    return {
      'x-grafana-alerting-timestamp': at,
      'x-grafana-alerting-signature': sum(`${at}:${body}`),
    };
  },
  netlify: (body, sum) => ({ 'x-webhook-signature': netlifyToken(body, sum) }),
  pagerduty: (body, sum) => ({ 'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${sum(body)}` }),
  sentry: (body, sum) => ({ 'sentry-hook-signature': sum(body) }),
  shopify: (body, sum) => ({ 'x-shopify-hmac-sha256': sum(body, 'base64') }),
  stripe: (body, sum) => {
    const at = String(seconds());
    return { 'stripe-signature': `t=${at},v1=${sum(`${at}.${body}`)},v0=${'0'.repeat(64)}` };
  },
  vercel: (body, sum) => ({ 'x-vercel-signature': sum(body, 'hex', 'sha1') }),
  'standard-webhooks': (body, _sum, secret) => {
    const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
    const at = seconds();
    return {
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': new Standard(secret).sign(id, new Date(at * 1_000), body),
    };
  },
};

type EventSummary = EndpointOutput<'events.get'>['summary'];

const expected: Record<string, { type: string; summary: Partial<EventSummary> }> = {
  bitbucket: {
    type: 'pull_request',
    summary: {
      action: 'pullrequest:created',
      actor: { id: '557058:ab', name: 'Ana Example' },
      subject: {
        kind: 'pull_request',
        id: '12',
        name: 'Add a login page',
        url: 'https://bitbucket.org/acme/web/pull-requests/12',
      },
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  circleci: {
    type: 'workflow-completed',
    summary: {
      action: 'failed',
      severity: 'high',
      actor: { id: null, name: 'Li' },
      text: 'Li: workflow-completed failed: build-test-deploy',
      occurred_at: '2026-11-02T08:00:00.123Z',
    },
  },
  datadog: {
    type: 'metric_alert_monitor',
    summary: {
      action: 'Triggered',
      severity: 'critical',
      subject: {
        kind: 'monitor',
        id: '4711',
        name: '[Triggered] Disk of db-1 is full',
        url: 'https://app.datadoghq.com/event/event?id=1234567',
      },
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  gitea: {
    type: 'push',
    summary: {
      actor: { id: '1', name: 'li' },
      container: { kind: 'repo', id: '140', name: 'acme/web', url: 'https://git.example.com/acme/web' },
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  grafana: {
    type: 'alert',
    summary: {
      action: 'firing',
      severity: 'critical',
      text: '[FIRING:1] High memory usage Servers',
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  netlify: {
    type: 'deploy_failed',
    summary: {
      action: 'error',
      severity: 'high',
      actor: { id: null, name: 'li' },
      text: 'li: deploy failed error: Add a login page',
    },
  },
  pagerduty: {
    type: 'incident.triggered',
    summary: {
      severity: 'critical',
      actor: { id: 'PLH1HKV', name: 'Ana Example' },
      subject: {
        kind: 'incident',
        id: 'PGR0VU2',
        name: 'The checkout answers 500',
        url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
      },
    },
  },
  sentry: {
    type: 'issue',
    summary: {
      action: 'created',
      severity: 'high',
      subject: {
        kind: 'issue',
        id: '4711',
        name: 'TypeError: cart is undefined',
        url: 'https://acme.sentry.io/issues/4711/',
      },
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  shopify: {
    type: 'orders_create',
    summary: {
      action: 'orders/create',
      actor: { id: '115310627314723', name: 'ana@example.com' },
      container: { kind: 'shop', id: null, name: 'acme.myshopify.com', url: null },
      occurred_at: '2026-11-02T08:00:00.123Z',
    },
  },
  stripe: {
    type: 'invoice.payment_failed',
    summary: {
      text: 'invoice.payment failed: ACME-0042',
      severity: 'high',
      subject: {
        kind: 'invoice.payment_failed',
        id: 'in_1Q0PsIJvEtkwdCNY',
        name: 'ACME-0042',
        url: 'https://invoice.stripe.com/i/acct_1/test_1',
      },
      occurred_at: '2026-11-02T08:00:00.000Z',
    },
  },
  vercel: {
    type: 'deployment.error',
    summary: {
      severity: 'high',
      actor: { id: 'usr_1', name: 'Li' },
      occurred_at: '2026-11-02T08:00:00.123Z',
    },
  },
  'standard-webhooks': {
    type: 'contact.created',
    summary: { occurred_at: '2026-11-03T20:26:10.344Z' },
  },
};

it('each preset has a signer and an expected event', () => {
  expect(presets.map(({ preset }) => preset).toSorted()).toEqual(Object.keys(signers).toSorted());
  expect(Object.keys(expected).toSorted()).toEqual(Object.keys(signers).toSorted());
});

describe.each(Object.keys(signers))('the preset %s', (key) => {
  it('takes what the tool signs, once, reads it, and refuses what is signed by anybody else', async () => {
    const preset = presets.find((each) => each.preset === key);
    const sign = signers[key];
    if (!preset || !sign) throw new Error(`There is no preset ${key}.`);
    const workspace = await newWorkspace(server);
    const params = { id: workspace.workspaceId };
    await workspace.api.call('providers.create', { params, body: preset.definition });
    const { ingest } = await workspace.api.call('integrations.connect', {
      body: { provider: key, workspace_id: workspace.workspaceId, credentials: { secret: SECRET } },
    });
    expect(ingest.steps.join(' ')).toContain(ingest.url);

    const { body, headers } = preset.sample;
    const post = async (text: string, proof: Record<string, string>) => {
      const all = { 'content-type': 'application/json', ...headers, ...proof };
      const response = await fetch(ingest.url, { method: 'POST', body: text, headers: all });
      return response.status;
    };
    const proof = sign(body, sumWith(SECRET), SECRET);
    expect(await post(body, {})).toBe(401);
    expect(await post(body, sign(body, sumWith(OTHER), OTHER))).toBe(401);
    for (const damaged of [(sum: string) => sum.slice(0, -1), (sum: string) => `${sum}0`]) {
      const sum: Sum = (...args) => damaged(sumWith(SECRET)(...args));
      if (key !== 'standard-webhooks') expect(await post(body, sign(body, sum, damaged(SECRET)))).toBe(401);
    }
    for (const name of Object.keys(proof)) {
      expect(await post(body, { ...proof, [name]: '' })).toBe(401);
      expect(await post(body, { ...proof, [name]: 'x' })).toBe(401);
    }
    // Every proof covers the body, except a secret in a header.
    if (key !== 'datadog') expect(await post(`${body} `, proof)).toBe(401);
    expect((await workspace.api.call('events.list', { params })).data).toEqual([]);

    expect(await post(body, proof)).toBe(202);
    expect(await post(body, sign(body, sumWith(SECRET), SECRET))).toBe(200);
    const { data } = await workspace.api.call('events.list', { params });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ source: key, ...expected[key] });
    expect(data[0]?.payload).toEqual(JSON.parse(body));

    const preview = await workspace.api.call('providers.preview', {
      params,
      body: { definition: preset.definition, body, headers: { ...headers, ...proof }, secret: SECRET },
    });
    expect(preview).toMatchObject({
      verification: { result: 'verified', reason: null },
      outcome: 'event',
      event: { source: key, type: data[0]?.type, summary: data[0]?.summary },
    });
  });
});

it.each([
  ['pagerduty', {}, '{"event":{"id":"1","event_type":"pagey.ping"}}'],
  ['circleci', {}, '{"id":"1","type":"ping"}'],
  ['bitbucket', { 'x-event-key': 'diagnostics:ping' }, '{}'],
  ['sentry', { 'sentry-hook-resource': 'installation' }, '{"action":"created"}'],
])('a test call of %s makes no event', async (key, headers, body) => {
  const definition = presets.find(({ preset }) => preset === key)?.definition;
  const preview = await server.api.call('providers.preview', {
    params: { id: server.workspaceId },
    body: { definition, body, headers },
  });
  expect(preview).toMatchObject({ outcome: 'ping', event: null, verification: { result: 'unchecked' } });
});
