import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openAttemptCounter } from '../../contenders/attempt-counter.ts';
import type { FloorMethods } from '../../contenders/workers/floor.worker.ts';
import { createHublineData, type HublineServer, startHubline } from '../../contenders/hubline-server.ts';
import { untilRecorded } from '../../contenders/until-recorded.ts';
import { nowUs } from '../../clock.ts';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { Worker } from '../../process/worker.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { median, medianRatio, percentile } from '../../statistics.ts';
import { deliver, measure, type Part, postAll, prepare, type Sample } from './fanout-part.ts';

const DOMAIN = 'bench.test';
const PART: Part = { name: 'tls', workspaces: 1, webhooks: 500, events: 20 };
const PROBE_EVERY_MS = 20;
const IDLE_MS = 5_000;

/** Sends events to 500 HTTPS receivers of different names, beside undici alone, and measures what a request to the API takes meanwhile. */
export async function fanoutTls(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  const tls = { domain: DOMAIN, ...makeCertificate(folder.path) };
  await using load = new Load();
  await using bare = new Worker<FloorMethods>(
    new URL('../../contenders/workers/floor.worker.ts', import.meta.url),
  );
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  using counter = openAttemptCounter(server.database);
  progress(`registering ${PART.webhooks} webhooks`);
  const prepared = await prepare({ load, server, tls }, PART);
  const own: Sample[] = [];
  const other: Sample[] = [];
  const p99 = { idle: [] as number[], busy: [] as number[] };
  for (let round = 0; round <= options.rounds; round += 1) {
    progress(`round ${round} of ${options.rounds}`);
    const idle = await probe(server, delay(IDLE_MS));
    const delivering = measure(server.pid, prepared, async () => {
      const startedAtUs = await deliver(load, prepared);
      await untilRecorded(counter, prepared.calls * (round + 1));
      return nowUs() - startedAtUs;
    });
    const busy = await probe(server, delivering);
    const bareSample = await measure(bare.pid, prepared, () => postAll(bare, prepared));
    // Round 0 compiles the code and opens the connections.
    if (round === 0) continue;
    own.push(await delivering);
    other.push(bareSample);
    p99.idle.push(percentile(idle, 99));
    p99.busy.push(percentile(busy, 99));
  }
  const rates = { own: own.map(({ perS }) => perS), other: other.map(({ perS }) => perS) };
  return {
    tables: [
      {
        title: `${PART.events} events to ${PART.webhooks} HTTPS receivers of different names each, deliveries/s`,
        columns: ['', 'hubline', 'undici alone', 'hubline CPU µs', 'undici CPU µs'],
        rows: [
          [
            'tls',
            median(rates.own),
            median(rates.other),
            median(own.map(({ cpuUs }) => cpuUs)),
            median(other.map(({ cpuUs }) => cpuUs)),
          ],
        ],
      },
      {
        title: 'A request to the API, p99 in ms',
        columns: ['', 'idle', 'meanwhile'],
        rows: [['GET /me', median(p99.idle), median(p99.busy)]],
      },
    ],
    notes: ['Names are resolved at once, in the processes themselves.'],
    figures: {
      ratio_tls: medianRatio(rates.own, rates.other),
      deliveries_per_s_tls: median(rates.own),
      api_p99_vs_idle: medianRatio(p99.busy, p99.idle),
    },
    goals: { ratio_tls: { atLeast: 0.6 }, api_p99_vs_idle: { atMost: 3 } },
  };
}

/** Makes a certificate for the names, and lets the processes that are started from here on trust it and resolve the names. */
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

/** Asks the API again and again until something has ended. Returns the milliseconds of each request. */
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
    if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}.`);
    times.push(performance.now() - started);
    await delay(PROBE_EVERY_MS);
  }
  return times;
}
