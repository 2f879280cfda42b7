import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openAttemptCounter } from '../../contenders/attempt-counter.ts';
import type { FloorMethods } from '../../contenders/workers/floor.worker.ts';
import { createHublineData, type HublineServer, startHubline } from '../../contenders/hubline-server.ts';
import { untilRecorded } from '../../contenders/until-recorded.ts';
import { nowUs } from '../../clock.ts';
import { medianOf, speedRatio, type Throughput, throughputColumns } from '../../throughput.ts';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { Worker } from '../../process/worker.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { median, medianRatio, percentile } from '../../statistics.ts';
import { deliver, measure, type Part, postAll, prepare } from './fanout-part.ts';

const DOMAIN = 'bench.test';
const WEBHOOKS = { workspaces: 1, webhooks: 500 };
/** One part whose deliveries fit into the memory of the delivery engine, and one whose deliveries wait in the database. */
const PARTS: readonly Part[] = [
  { ...WEBHOOKS, name: 'tls', events: 20 },
  { ...WEBHOOKS, name: 'tls_backlog', events: 100 },
];
const PROBE_EVERY_MS = 20;
const IDLE_MS = 5_000;

interface Samples {
  own: Throughput[];
  bare: Throughput[];
  /** The p99 of a request to the API in each round, in milliseconds: without deliveries, and during them. */
  idle: number[];
  busy: number[];
  /** The p99 of the same request to a second server, which has nothing else to do: what the busy cores alone cost. */
  beside: number[];
}

/** Sends events to 500 HTTPS receivers with different names, compared with undici alone, and measures the latency of the API meanwhile. */
export async function fanoutTls(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  const tls = { domain: DOMAIN, ...makeCertificate(folder.path) };
  await using load = new Load();
  await using bare = new Worker<FloorMethods>(
    new URL('../../contenders/workers/floor.worker.ts', import.meta.url),
  );
  using other = temporaryFolder();
  await using second = await startHubline(await createHublineData(other.path, options), options);
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  using counter = openAttemptCounter(server.database);
  progress(`registering ${WEBHOOKS.webhooks} webhooks`);
  const registered = await prepare({ load, server, tls }, { ...WEBHOOKS, name: 'tls', events: 0 });
  const all: [name: string, samples: Samples][] = [];
  let recorded = 0;
  for (const part of PARTS) {
    const prepared = { ...registered, ...part, calls: WEBHOOKS.webhooks * part.events };
    const samples: Samples = { own: [], bare: [], idle: [], busy: [], beside: [] };
    all.push([part.name, samples]);
    for (let round = 0; round <= options.rounds; round += 1) {
      progress(`${part.name}: round ${round} of ${options.rounds}`);
      recorded += prepared.calls;
      const idle = await probe(server, delay(IDLE_MS));
      const delivering = measure(server.pid, prepared, async () => {
        const startedAtUs = await deliver(load, prepared);
        await untilRecorded(counter, recorded);
        return nowUs() - startedAtUs;
      });
      const [busy, beside] = await Promise.all([probe(server, delivering), probe(second, delivering)]);
      const ownSample = await delivering;
      const bareSample = await measure(bare.pid, prepared, () => postAll(bare, prepared));
      // Round 0 compiles the code and opens the connections.
      if (round === 0) continue;
      samples.own.push(ownSample);
      samples.bare.push(bareSample);
      samples.idle.push(percentile(idle, 99));
      samples.busy.push(percentile(busy, 99));
      samples.beside.push(percentile(beside, 99));
    }
  }
  return {
    tables: [
      {
        title: `Events to ${WEBHOOKS.webhooks} HTTPS receivers of different names, deliveries/s`,
        columns: ['', 'hubline', 'undici alone', 'hubline CPU µs', 'undici CPU µs'],
        rows: all.map(([name, samples]) => [name, ...throughputColumns(samples)]),
      },
      {
        title: 'GET /me, p99 in ms',
        columns: ['', 'idle', 'meanwhile', 'second server meanwhile'],
        rows: all.map(([name, { idle, busy, beside }]) => [name, median(idle), median(busy), median(beside)]),
      },
    ],
    notes: [
      'Names are resolved at once, in the processes themselves.',
      'The second server has nothing to do but respond to this request.',
      'The p99 of tls is from about 100 requests, that of tls_backlog from about 300.',
    ],
    figures: Object.fromEntries(
      all.flatMap(([name, samples]) => [
        [`ratio_${name}`, speedRatio(samples)],
        [`deliveries_per_s_${name}`, medianOf(samples.own, 'perS')],
        [`api_p99_vs_idle_${name}`, medianRatio(samples.busy, samples.idle)],
        [`second_p99_vs_idle_${name}`, medianRatio(samples.beside, samples.idle)],
      ]),
    ),
    goals: {
      ratio_tls: { atLeast: 0.6 },
      api_p99_vs_idle_tls: { atMost: 3 },
      api_p99_vs_idle_tls_backlog: { atMost: 3 },
    },
  };
}

/** Makes a certificate for the names. Processes that are started from here on trust it and resolve the names. */
function makeCertificate(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = `subjectAltName=DNS:*.${DOMAIN}`;
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-subj', `/CN=${DOMAIN}`, '-addext', names, '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', ...kind, ...files], { stdio: 'pipe' });
  const preload = new URL('../../process/names.preload.ts', import.meta.url);
  process.env['NODE_EXTRA_CA_CERTS'] = cert;
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload.href}`;
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Sends requests to the API until `until` settles. Returns the milliseconds of each request. */
async function probe(server: HublineServer, until: Promise<unknown>): Promise<number[]> {
  const { port, path, headers } = server.target('/me', 'GET');
  const times: number[] = [];
  const ended = new AbortController();
  const end = () => ended.abort();
  until.then(end, end);
  while (!ended.signal.aborted) {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}.`);
    times.push(performance.now() - started);
    await delay(PROBE_EVERY_MS);
  }
  return times;
}
