import { startTestServer } from '@hubline/server/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi, WORKSPACE } from '../../test/fake-api.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCli } from '../../test/run-cli.ts';
import { PATIENT } from '../../../test/support/spawn-cli.ts';

const SINCE = Date.parse('2026-06-15T11:01:00Z');

/** An hour in which each minute had one event more than the one before, and every attempt of the last minute failed. */
const statistics = (webhooks: number) => ({
  workspace_id: WORKSPACE,
  window: '1h',
  since: '2026-06-15T11:01:00.000Z',
  until: '2026-06-15T12:00:30.000Z',
  bucket_seconds: 60,
  events: 1770,
  attempts: { succeeded: 1711, failed: 59 },
  deliveries: { delivered: 1711, failed: 2 },
  success_rate: 1711 / 1770,
  latency: { p50_ms: 12, p95_ms: 1_820 },
  queue: { pending: 3, retrying: 2, held: 0 },
  sources: [
    { source: 'github', events: 1700 },
    { source: 'ci', events: 70 },
  ],
  series: Array.from({ length: 60 }, (_, minute) => ({
    at: new Date(SINCE + minute * 60_000).toISOString(),
    events: minute,
    succeeded: minute < 59 ? minute : 0,
    failed: minute < 59 ? 0 : 59,
    p50_ms: 12,
    p95_ms: 1_820,
  })),
  webhooks: Array.from({ length: webhooks }, (_, index) => ({
    webhook_id: `whk_06f8xw2b3c4d5e6f7g8h9j0km${index % 10}`,
    url: `https://x.test/${index}\u001b[2J`,
    attempts: 100,
    failed: 3,
    failure_rate: 0.03,
    p50_ms: 12,
    p95_ms: 1_820,
  })),
  failures: [
    {
      webhook_id: 'whk_06f8xw2b3c4d5e6f7g8h9j0km0',
      response_status: 503,
      error_kind: null,
      attempts: 59,
      parts: [],
      first_at: '2026-06-15T12:00:00.000Z',
      last_at: '2026-06-15T12:00:29.000Z',
    },
  ],
});

const line = ['workspace', 'stats', '--color=never'];

describe('workspace stats', () => {
  it('shows totals, how they developed, and the worst webhooks', async () => {
    const api = await fakeApi(() => ({ body: statistics(12) }));
    const env = { ...api.env, LANG: 'en_GB.UTF-8' };
    const { code, out, err } = await runCli([...line, '--window=1h'], { env, tty: true, columns: 80 });
    expect({ code, err, query: api.received.at(-1)?.query }).toEqual({
      code: 0,
      err: '',
      query: { window: '1h' },
    });
    const [head = '', charts = '', table = '', causes = ''] = out.split('\n\n');
    expect(head).toBe(
      [
        'window      1h, since 2026-06-15T11:01:00.000Z',
        'events      1770',
        'attempts    1711 succeeded, 59 failed, retries included',
        'deliveries  1711 delivered, 2 failed with no attempt left',
        'success     96.67%',
        'latency     p50 12 ms, p95 1.8 s',
        'queue       3 pending, 2 retrying, 0 held',
        'sources     github 1700, ci 70',
      ].join('\n'),
    );
    expect(charts.split('\n')).toEqual([
      `events    ▁${'▂'.repeat(8)}${'▃'.repeat(8)}${'▄'.repeat(9)}${'▅'.repeat(8)}${'▆'.repeat(9)}${'▇'.repeat(8)}${'█'.repeat(9)}  max 59`,
      expect.stringMatching(/^succeeded ▁▂.*█▁ {2}max 58$/),
      `failed    ${'▁'.repeat(59)}█  max 59`,
      '          1 min each',
    ]);
    const rows = table.trimEnd().split('\n');
    expect(rows).toHaveLength(1 + 10 + 1);
    expect(rows[0]).toMatch(/^WEBHOOK +FAILED +RATE +P95 +URL$/);
    expect(rows[1]).toMatch(/km0 +3 +3\.00% +1\.8 s +https:\/\/x\.test\/0\\u001b/);
    expect(rows[11]).toBe('and 2 more: --json=webhooks');
    expect(causes).toMatch(/^WEBHOOK +STATUS +ERROR +ATTEMPTS +.*LAST *\n\S+km0 +503 .* 59 /);
  });

  it('has a dash where there is no latency', async () => {
    const [webhook] = statistics(1).webhooks;
    const body = { ...statistics(0), webhooks: [{ ...webhook, p50_ms: null, p95_ms: null }] };
    const api = await fakeApi(() => ({ body }));
    const { out } = await runCli(line, { env: api.env, tty: true, columns: 100 });
    expect(out).toMatch(/km0 +100 +3 +3\.00% +- +- +https/);
  });

  it('fits into a narrow terminal, and draws nothing where the terminal has ASCII only', async () => {
    const api = await fakeApi(() => ({ body: statistics(2) }));
    const utf8 = { ...api.env, LC_ALL: 'C.UTF-8' };
    const { out } = await runCli(line, { env: utf8, tty: true, columns: 60 });
    const wide = await runCli(line, { env: utf8, tty: true, columns: 100 });
    expect(wide.out).toMatch(/^WEBHOOK +ATTEMPTS +FAILED +RATE +P50 +P95 +URL$/m);
    expect(out).toContain('2 min each');
    for (const row of out.split('\n')) expect(row.length).toBeLessThanOrEqual(60);
    for (const env of [api.env, { ...api.env, LANG: 'en_GB.UTF-8', LC_ALL: 'C' }]) {
      const plain = (await runCli(line, { env, tty: true })).out;
      expect(plain).toContain('success     96.67%');
      expect(plain).not.toMatch(/[▁-█]/);
    }
  });

  it('breaks between words where a terminal is narrower than its lines', async () => {
    const api = await fakeApi(() => ({ body: statistics(0) }));
    const { out } = await runCli(line, { env: api.env, tty: true, columns: 40 });
    expect(out).toContain(
      'attempts    1711 succeeded, 59 failed,\n            retries included\ndeliveries  1711 delivered, 2 failed\n            with no attempt left\n',
    );
    const unread = await fakeApi(() => ({ body: { unread: 2, email: false } }));
    const count = await runCli(['notification', 'count'], { env: unread.env, tty: true, columns: 40 });
    expect(count.out).toBe(
      '2 unread notifications.\nThey are not sent by email: the operator\nof this server has to set\nHUBLINE_SMTP_URL.\n',
    );
  });

  it('is the whole with --json, and a line for each field in a pipe', async () => {
    const api = await fakeApi(() => ({ body: statistics(1) }));
    expect(JSON.parse((await runCli([...line, '--json'], api)).out)).toEqual(statistics(1));
    const { out } = await runCli(line, api);
    expect(out).toContain('events\t1770\nattempts\t{"succeeded":1711,"failed":59}\n');
  });

  it('refuses an unknown window', async () => {
    const { code, err } = await runCli([...line, '--window=2h']);
    expect({ code, named: err.includes('--window') }).toEqual({ code: 2, named: true });
  });

  it('shows the statistics of a real server', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
    const empty = await runCli(line, { env, tty: true });
    expect(empty.out).toMatch(/success +-\nlatency +-\nqueue +0 pending, 0 retrying, 0 held\n$/);
    const { url, calls } = await startReceiver();
    await runCli(['webhook', 'create', `--url=${url}`, '--trigger=*', '--generate-secret'], { env });
    await runCli(['event', 'publish', '--type=push'], { env });
    await vi.waitUntil(() => calls.length === 1, PATIENT);
    await vi.waitUntil(
      async () => (await runCli([...line, '--jq=.webhooks[].attempts'], { env })).out === '1\n',
      PATIENT,
    );
    expect((await runCli([...line, '--window=24h', '--jq=.events'], { env })).out).toBe('1\n');
  });
});

it('workspace health shows the certificate and the backup schedule of the server', async () => {
  const certificate = {
    domain: 'hub.example.com',
    authority: 'ca.test',
    expires_at: '2026-09-01T00:00:00.000Z',
    renews_at: '2026-08-01T00:00:00.000Z',
    next_try_at: '2026-08-01T00:00:00.000Z',
    last_error: null as string | null,
  };
  const health = (change: Partial<typeof certificate> | { expires_at: null } | null) => ({
    workspace_id: WORKSPACE,
    version: '1.4.0',
    started_at: '2026-06-01T00:00:00.000Z',
    database: { kind: 'sqlite', response_ms: 0.4 },
    sends_email: true,
    public_url: 'https://hub.example.com',
    queue: { pending: 0, retrying: 0, held: 0 },
    server: {
      database_bytes: 1,
      free_bytes: 1,
      memory_bytes: 1,
      jobs: [],
      backups: [],
      backup_schedule: { every_seconds: 86_400, keep: 7, to: '/backups', last_error: null },
      certificate: change && { ...certificate, ...change },
    },
  });
  const shown = async (change: Parameters<typeof health>[0], label = 'certificate') => {
    const { env } = await fakeApi(() => ({ body: health(change) }));
    const { out } = await runCli(['workspace', 'health', '--color=never'], {
      env,
      tty: true,
      columns: 200,
    });
    return new RegExp(`^${label} *(.*)$`, 'm').exec(out)?.[1];
  };
  expect(await shown({})).toBe(
    'hub.example.com, until 2026-09-01T00:00:00.000Z, renewed from 2026-08-01T00:00:00.000Z, by ca.test',
  );
  expect(await shown({ last_error: 'It is closed.' })).toMatch(/; THE LAST ATTEMPT FAILED: It is closed\.$/);
  expect(await shown({ expires_at: null })).toBe('hub.example.com has no certificate from ca.test yet');
  expect(await shown(null)).toBe('none: use --domain');
  expect(await shown(null, 'schedule')).toBe('a backup every 1d into /backups, 7 are kept');
});
