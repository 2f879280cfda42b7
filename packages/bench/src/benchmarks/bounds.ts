import { createHmac } from 'node:crypto';
import { createHublineData, type HublineServer, startHubline } from '../contenders/hubline-server.ts';
import type { AttackMethods, AttackName, Damage, Victim } from '../load/attacks.worker.ts';
import type { NeighborMethods, Service } from '../load/neighbor.worker.ts';
import { type Options, wantedOf } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { cpuMs, peakMemoryMb } from '../process/usage.ts';
import { Worker } from '../process/worker.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median, percentile } from '../statistics.ts';

const LARGE_EVENTS = 27;
const LARGE_BYTES = 24 * 1000 * 1000;
/** The longest wait for events that are still on their way when the attacks stop. */
const DRAIN_MS = 20_000;

const SCENARIOS: Readonly<Record<string, { summary: string; attacks: readonly AttackName[] }>> = {
  nothing: { summary: 'the well-behaved client alone', attacks: [] },
  uploads: {
    summary: '40 uploads of 25 MB, to an unknown integration or never finished',
    attacks: ['uploads'],
  },
  pages: {
    summary: `27 events of 24 MB: lists, streams, single ones; 20 of 26 clients never read`,
    attacks: ['pages'],
  },
  calls: {
    summary: '20 calls of 8 MB at once, again and again; 300 streams that never read',
    attacks: ['calls'],
  },
  arrays: { summary: 'bodies of 1 MB with up to 500,000 elements', attacks: ['arrays'] },
  crowd: { summary: '1,000 streams of one workspace, 5 events/s', attacks: ['crowd'] },
  pipelined: { summary: '100 connections that send 1,000 requests each at once', attacks: ['pipelined'] },
  all: {
    summary: 'all attacks at once',
    attacks: ['uploads', 'pages', 'calls', 'arrays', 'crowd', 'pipelined'],
  },
};

interface Measured {
  scenario: string;
  memoryMb: number;
  /** CPU time of the server, as a share of one core. */
  cpu: number;
  service: Service;
  damage: Damage;
  /** Acknowledged publications of the crowd's workspace that are not in its list. */
  crowdLost: number;
}

/** Measures how clients that ask for too much and never read it affect the server and a well-behaved client. */
export async function bounds(options: Options): Promise<Result> {
  const isWanted = wantedOf(options, Object.keys(SCENARIOS));
  using folder = temporaryFolder();
  const data = await createHublineData(folder.path, options);
  progress(`storing ${LARGE_EVENTS} events of 24 MB`);
  const victim = await (async () => {
    await using server = await startHubline(data, options);
    return await prepare(server);
  })();

  const measured: Measured[] = [];
  for (const [scenario, { summary, attacks }] of Object.entries(SCENARIOS)) {
    if (!isWanted(scenario)) continue;
    progress(`${scenario}: ${summary}, ${options.seconds} s`);
    await using server = await startHubline(data, options);
    measured.push(await play(server, { scenario, attacks, victim, seconds: options.seconds }));
  }

  const attacked = measured.filter(({ scenario }) => scenario !== 'nothing');
  // `NaN`, which meets no goal, if `--only` leaves out every attack.
  const most = (figure: (of: Measured) => number) => percentile(attacked.map(figure), 100);
  const sum = (figure: (of: Measured) => number) => measured.reduce((total, of) => total + figure(of), 0);
  return {
    tables: [
      {
        title: `The server and a well-behaved client during each attack, ${options.seconds} s each`,
        columns: [
          '',
          'RSS peak MB',
          'CPU',
          'livez p50 ms',
          'p99',
          'max',
          'publish p50 ms',
          'p99',
          'errors',
          'lost',
        ],
        rows: measured.map(({ scenario, memoryMb, cpu, service, crowdLost }) => [
          scenario,
          memoryMb,
          cpu,
          service.livez.p50,
          service.livez.p99,
          service.livez.max,
          service.publish.p50,
          service.publish.p99,
          service.errors,
          lostOf(service) + crowdLost,
        ]),
      },
      {
        title: 'What the attackers got',
        columns: [
          '',
          'responses by status',
          'MB read',
          'publish p50 ms for 1,000 streams',
          'events streamed',
        ],
        rows: measured.map(({ scenario, damage }) => [
          scenario,
          Object.entries(damage.responses)
            .map(([status, times]) => `${status}: ${times}`)
            .join(', '),
          Math.round(damage.bytes / 1e6),
          damage.publishMs.length > 0 ? median(damage.publishMs).toFixed(1) : '',
          damage.expected > 0 ? `${damage.streamed} of ${damage.expected}` : '',
        ]),
      },
    ],
    notes: Object.entries(SCENARIOS).map(([name, { summary }]) => `${name}: ${summary}.`),
    figures: {
      rss_mb: most(({ memoryMb }) => memoryMb),
      livez_p99_ms: most(({ service }) => service.livez.p99),
      neighbor_publish_p99_ms: most(({ service }) => service.publish.p99),
      neighbor_errors: sum(({ service }) => service.errors),
      acknowledged_lost: sum(({ service, crowdLost }) => lostOf(service) + crowdLost),
      stream_events_missing: sum(({ damage }) => damage.expected - damage.streamed),
    },
    goals: {
      rss_mb: { atMost: 400 },
      livez_p99_ms: { atMost: 100 },
      neighbor_errors: { atMost: 0 },
      acknowledged_lost: { atMost: 0 },
      stream_events_missing: { atMost: 0 },
    },
  };
}

const lostOf = ({ lost }: Service) => lost.list + lost.stream + lost.webhook;

async function play(
  server: HublineServer,
  {
    scenario,
    attacks,
    victim,
    seconds,
  }: { scenario: string; attacks: readonly AttackName[]; victim: Omit<Victim, 'port'>; seconds: number },
): Promise<Measured> {
  await using attacker = new Worker<AttackMethods>(new URL('../load/attacks.worker.ts', import.meta.url));
  await using neighbor = new Worker<NeighborMethods>(new URL('../load/neighbor.worker.ts', import.meta.url));
  const { port } = server.target('/');
  const own = await workspaceOf(server, `calm-${scenario}`);
  const url = await neighbor.call('listen', undefined);
  await server.webhook(url, own.workspaceId);
  await attacker.call('start', { victim: { ...victim, port }, attacks });
  const [began, used] = [performance.now(), cpuMs([server.pid])];
  const service = await neighbor.call('run', { port, ...own, seconds });
  const cpu = (cpuMs([server.pid]) - used) / (performance.now() - began);
  const damage = await attacker.call('stop', { withinMs: DRAIN_MS });
  const memoryMb = peakMemoryMb(server.pid);
  const stored = await eventIdsOf(server, victim.crowd.workspaceId);
  return {
    scenario,
    memoryMb,
    cpu,
    service,
    damage,
    crowdLost: damage.published.filter((id) => !stored.has(id)).length,
  };
}

/** A workspace with its own key: it shares its rate limit and its memory with nobody. */
async function workspaceOf(
  server: HublineServer,
  slug: string,
): Promise<{ workspaceId: string; apiKey: string }> {
  const { id } = await server.post<{ id: string }>('/workspaces', { name: slug, slug });
  const { key } = await server.post<{ key: string }>(`/workspaces/${id}/api-keys`, { name: 'bench' });
  return { workspaceId: id, apiKey: key };
}

async function eventIdsOf(server: HublineServer, workspaceId: string): Promise<Set<string>> {
  const found = new Set<string>();
  const { port, headers } = server.target('/');
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(
      `http://127.0.0.1:${port}/v1/workspaces/${workspaceId}/events?limit=100${query}`,
      { headers },
    );
    const { data, pagination } = (await response.json()) as {
      data: { event_id: string }[];
      pagination: { next_cursor: string | null };
    };
    for (const { event_id: id } of data) found.add(id);
    cursor = pagination.next_cursor;
  }
  return found;
}

/** Stores the large events through an integration, as a provider would. */
async function prepare(server: HublineServer): Promise<Omit<Victim, 'port'>> {
  const crowd = await workspaceOf(server, 'crowd');
  const { ingest } = await server.post<{ ingest: { url: string; secret: string } }>('/integrations/connect', {
    provider: 'custom',
    workspace_id: server.workspaceId,
    credentials: {},
  });
  const line = `{"number": 12345678901234567890, "text": "${'x'.repeat(900)}"},\n`;
  const lines = line.repeat(LARGE_BYTES / line.length);
  const eventIds: string[] = [];
  for (let index = 0; index < LARGE_EVENTS; index++) {
    const body = `{"id": ${index}, "items": [${lines}{}]}`;
    const response = await fetch(ingest.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', ingest.secret).update(body).digest('hex')}`,
      },
      body,
    });
    if (response.status !== 202) throw new Error(`A large event was refused with ${response.status}.`);
    eventIds.push(((await response.json()) as { event_id: string }).event_id);
  }
  return {
    apiKey: server.apiKey,
    full: { workspaceId: server.workspaceId, eventIds },
    crowd: { workspaceId: crowd.workspaceId },
    integrationId: ingest.url.split('/').at(-1) ?? '',
    secret: ingest.secret,
  };
}
