import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { inTwo, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';
import { startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let workspace: (TestWorkspace & { stop(): Promise<void> }) | undefined;

afterEach(async () => {
  await workspace?.stop();
  workspace = undefined;
});

async function scrape(from: TestWorkspace, headers: Record<string, string> = {}) {
  const response = await fetch(`${from.server.url}/metrics`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** The value of a sample; `undefined` if there is none. Labels may be in any order. */
function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text.split('\n').find((each) => {
    const [, found = '', list = ''] = /^(\w+)(?:\{(.*)\})? /.exec(each) ?? [];
    return (
      found === name && Object.entries(labels).every(([key, value]) => list.includes(`${key}="${value}"`))
    );
  });
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

// Each process counts only its own requests.
it.skipIf(inTwo)(
  'tells Prometheus about requests, attempts and commits, by route and not by ID',
  async () => {
    const here = (workspace = await startWorkspace());
    const statuses = [200, 500];
    await using receiver = await startReceiver(() => ({ status: statuses.shift() ?? 200 }));
    const { id } = await here.api.call('webhooks.create', {
      body: { url: receiver.url, events: ['*'], workspace_id: here.workspaceId, secret: 's3cret' },
    });
    const publish = () =>
      here.api.call('events.publish', {
        params: { id: here.workspaceId },
        body: { type: 'deploy', payload: {} },
      });
    await publish();
    await until('the first', () => receiver.calls.length === 1);
    await publish();
    await here.api.refused('webhooks.get', 404, { params: { webhookId: 'nonsense' } });
    await here.api.request('GET', '/no/such/route');
    const { data } = await until('a retry to wait for', async () => {
      const query = { status: 'retrying' };
      const list = await here.api.call('deliveries.listForWebhook', { params: { webhookId: id }, query });
      return list.data.length === 1 && list;
    });

    // Attempts are counted after they are recorded.
    const { status, type, text } = await until('both attempts', async () => {
      const scraped = await scrape(here);
      return sample(scraped.text, 'hubline_attempt_seconds_count') === 2 && scraped;
    });
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    const route = '/v1/workspaces/{id}/events';
    expect(sample(text, 'hubline_http_requests_total', { method: 'POST', route, status: '201' })).toBe(2);
    expect(
      sample(text, 'hubline_http_requests_total', { route: '/v1/webhooks/{webhookId}', status: '404' }),
    ).toBe(1);
    expect(sample(text, 'hubline_http_requests_total', { route: 'none', status: '404' })).toBe(1);
    expect(sample(text, 'hubline_http_request_seconds_count', { method: 'POST', route })).toBe(2);
    expect(sample(text, 'hubline_attempts_total', { outcome: 'success' })).toBe(1);
    expect(sample(text, 'hubline_attempts_total', { outcome: 'http_5xx' })).toBe(1);
    expect(sample(text, 'hubline_attempt_seconds_count')).toBe(2);
    expect(sample(text, 'hubline_delivery_seconds_count')).toBe(1);
    expect(sample(text, 'hubline_queue_deliveries', { state: 'due' })).toBe(0);
    expect(sample(text, 'hubline_queue_deliveries', { state: 'scheduled' })).toBe(1);
    expect(sample(text, 'hubline_queue_oldest_due_seconds')).toBe(0);
    for (const name of ['p50', 'p99', 'max'])
      expect(sample(text, `hubline_loop_lag_${name}_seconds`)).toBeGreaterThanOrEqual(0);
    // Prometheus takes a metric with this label for a summary.
    expect(text).not.toContain('quantile=');
    expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(text).not.toMatch(/[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}/);
    expect(text).not.toContain(data[0]?.id);
    if (here.server.storage.databaseUrl !== undefined) return;
    expect(sample(text, 'hubline_wal_bytes')).toBeGreaterThan(0);
    expect(sample(text, 'hubline_commit_units_count')).toBeGreaterThan(0);
  },
);

it('shows how many deliveries wait, and for how long, across webhooks', async () => {
  let now = Date.now();
  const here = (workspace = await startWorkspace({
    clock: () => new Date(now),
    // No timer fires, so due deliveries stay due.
    timer: () => () => {},
  }));
  await using receiver = await startReceiver(() => ({ status: 500 }));
  for (let count = 0; count < 2; count += 1) {
    await here.api.call('webhooks.create', {
      body: { url: receiver.url, events: ['*'], workspace_id: here.workspaceId, secret: 's3cret' },
    });
  }
  await here.api.call('events.publishBatch', {
    params: { id: here.workspaceId },
    body: { events: Array.from({ length: 30 }, () => ({ type: 'deploy', payload: {} })) },
  });
  await until('the first attempts', async () => {
    const query = { status: 'retrying', limit: '100' };
    const list = await here.api.call('deliveries.list', { params: { id: here.workspaceId }, query });
    return list.data.length === 60;
  });
  now += 65_000;
  const { text } = await scrape(here);
  expect(sample(text, 'hubline_queue_deliveries', { state: 'due' })).toBe(60);
  expect(sample(text, 'hubline_queue_deliveries', { state: 'scheduled' })).toBe(0);
  // The retry is due 5 s after the first attempt, so 60 s of the 65 are left.
  expect(sample(text, 'hubline_queue_oldest_due_seconds')).toBe(60);
});

it('shows jobs that cannot begin, for which there is an alert: a full disk is noticed without a request', async () => {
  let now = Date.now();
  // No timer fires, so no job begins.
  const here = (workspace = await startWorkspace({ clock: () => new Date(now), timer: () => () => {} }));
  const alerts = readFileSync(
    new URL('../../../../../examples/self-hosting/alerts.yml', import.meta.url),
    'utf8',
  );
  const limit = Number(/hubline_jobs_oldest_due_seconds > (\d+)/.exec(alerts)?.[1]);
  now += (limit + 60) * 1_000;
  const { text } = await scrape(here);
  expect(sample(text, 'hubline_jobs_oldest_due_seconds')).toBeGreaterThan(limit);
});

it('is for this machine, and not for callers through a proxy', async () => {
  const here = (workspace = await startWorkspace());
  for (const header of ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'Forwarded']) {
    const value = header === 'X-Forwarded-Proto' ? 'https' : '203.0.113.9';
    const { status, text } = await scrape(here, { [header]: value });
    expect(status, header).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('hubline_');
  }
});

it('refuses requests to this machine under an internet name: a web page could have pointed the name here', async () => {
  const here = (workspace = await startWorkspace());
  const statusOf = async (host: string) => {
    const { responses } = await raw(
      here.server.url,
      `GET /metrics HTTP/1.1\nHost: ${host}\nConnection: close\n\n`,
    );
    return responses[0]?.status;
  };
  for (const host of [
    'evil.example',
    'evil.example:8787',
    '127.0.0.1.evil.example',
    'localhost.evil.example.',
  ])
    expect(await statusOf(host), host).toBe(401);
  for (const host of [
    '127.0.0.1:8787',
    '[::1]',
    'localhost',
    'LOCALHOST:80',
    'hub.localhost',
    'my-machine:8787',
  ])
    expect(await statusOf(host), host).toBe(200);
});

it('is not for this machine either if a proxy is trusted', async () => {
  const here = (workspace = await startWorkspace({ flags: { behindProxy: true } }));
  const { status, text } = await scrape(here, { 'X-Forwarded-Proto': 'https' });
  expect(status).toBe(401);
  expect(text).toContain('HUBLINE_METRICS_TOKEN');
  expect((await scrape(here)).status).toBe(401);
});

it('is only for callers with the token, if there is one', async () => {
  const token = 'a-token-of-some-length';
  const here = (workspace = await startWorkspace({ env: { HUBLINE_METRICS_TOKEN: token } }));
  expect((await scrape(here)).status).toBe(401);
  expect((await scrape(here, { Authorization: `Bearer ${token}x` })).status).toBe(401);
  expect((await scrape(here, { Authorization: `Bearer ${here.server.apiKey}` })).status).toBe(401);
  const proxied = { 'X-Forwarded-For': '203.0.113.9', Authorization: `Bearer ${token}` };
  expect(await scrape(here, proxied)).toMatchObject({ status: 200 });
});

it('names counters, and nothing else, as Prometheus does: with _total at the end', async () => {
  const here = (workspace = await startWorkspace());
  const { text } = await scrape(here);
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  expect(types.length).toBeGreaterThan(20);
  for (const [, name = '', type] of types) expect(type === 'counter', name).toBe(name.endsWith('_total'));
  expect(sample(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
});

it('has no family of metrics that the page about them does not name', async () => {
  const here = (workspace = await startWorkspace());
  const { text } = await scrape(here);
  const page = readFileSync(
    new URL('../../../../../docs/decisions/observability.md', import.meta.url),
    'utf8',
  );
  const families = [...text.matchAll(/^# TYPE (hubline_[a-z]+)/gm)].map(([, family]) => family);
  expect(new Set(families).size).toBeGreaterThan(8);
  for (const family of families) expect(page).toContain(`\`${family}`);
});

it('has everything that the dashboard and the alerts for self-hosting ask for', async () => {
  const here = (workspace = await startWorkspace());
  const text = await (await fetch(`${here.server.url}/metrics`)).text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const folder = new URL('../../../../../examples/self-hosting/', import.meta.url);
  for (const file of ['alerts.yml', 'grafana-dashboard.json'])
    for (const [name] of readFileSync(new URL(file, folder), 'utf8').matchAll(
      /(?:hubline|process)_[a-z\d_]+/g,
    ))
      expect(known, `${file}: ${name}`).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
});
