import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HttpClientMethods } from '../contenders/workers/http-clients.worker.ts';
import { importMs } from '../contenders/import-time.ts';
import { type Options, wantedOf } from '../options.ts';
import { Worker } from '../process/worker.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median, medianRatio, spread } from '../statistics.ts';

const PEERS = ['stripe', 'openai', 'octokit'];
/** The SDK's other transports, which Node uses only when asked to. */
const OTHERS = ['hubline, fetch', 'hubline, ky'];
const CONTENDERS = ['fetch', 'ky', 'hubline', ...OTHERS, ...PEERS];
const AT_ONCE = 8;
/**
 * Many rounds, each compared with the fetch of the same round: other load on the machine affects both, and the median of the ratios
 * ignores the rounds in which it affects only one.
 */
const ROUNDS = 7;
/** Makes a round long enough for several garbage collections. In a shorter one, fetch takes 55 µs without one and 85 with one. */
const SHARE = 1 / 3;
const IMPORTS = 11;

const module = new URL('../contenders/workers/http-clients.worker.ts', import.meta.url);
const BUILT = new URL('../../../sdk/dist/index.node.js', import.meta.url);
const here = fileURLToPath(new URL('../..', import.meta.url));

/** Measures the CPU time of one request, compared with bare fetch and other SDKs, and the time to load the SDK. */
export async function sdkOverhead(options: Options): Promise<Result> {
  const samples = await requests(options);
  const imports = existsSync(BUILT) ? await importTimes() : new Map<string, number[]>();
  const fetched = samples.get('fetch') ?? [];
  const toFetch = (cpu: readonly number[]) => medianRatio(cpu, fetched);
  const ratios = new Map([...samples].map(([name, cpu]) => [name, toFetch(cpu)]));
  const figures: Record<string, number> = {};
  const own = ratios.get('hubline');
  for (const name of ['fetch', ...PEERS]) {
    const other = ratios.get(name);
    if (own !== undefined && other !== undefined) figures[`cpu_to_${name}`] = own / other;
  }
  const loading = imports.get('hubline');
  if (loading) figures['import_ms'] = median(loading);
  return {
    tables: [
      {
        title: 'CPU time of one request that reads one object (µs)',
        columns: ['', 'CPU µs', '× fetch', 'spread'],
        rows: [...samples].map(([name, cpu]) => [name, median(cpu), toFetch(cpu), spread(cpu)]),
      },
      {
        title: 'Loading, in a fresh process (ms)',
        columns: ['', 'ms'],
        rows: [...imports].map(([name, ms]) => [name, median(ms)]),
      },
    ],
    notes: [
      'Every client has its own process, keep-alive connections and the same server; the clients take turns.',
      'hubline uses node:http, as it does on Node. The other two are the same client over fetch, alone and with ky, as in other runtimes.',
    ],
    figures,
    goals: {
      cpu_to_fetch: { atMost: 1.25 },
      ...Object.fromEntries(PEERS.map((name) => [`cpu_to_${name}`, { atMost: 1 }])),
      import_ms: { atMost: 15 },
    },
  };
}

async function requests(options: Options): Promise<Map<string, number[]>> {
  const isWanted = wantedOf(options, CONTENDERS);
  const wanted = CONTENDERS.filter((name) => name === 'fetch' || isWanted(name));
  const run = { requests: Math.ceil(options.events * SHARE), slots: AT_ONCE };
  const rounds = options.rounds * ROUNDS;
  const published = !options.source && existsSync(BUILT);
  await using server = new Worker<HttpClientMethods>(module);
  const origin = await server.call('listen', undefined);
  await using stack = new AsyncDisposableStack();
  const clients = new Map<string, Worker<HttpClientMethods>>();
  const samples = new Map<string, number[]>();
  for (const name of wanted) {
    const client = stack.use(new Worker<HttpClientMethods>(module, { published }));
    await client.call('prepare', { name, origin });
    // Compiles the code.
    await client.call('run', run);
    clients.set(name, client);
    samples.set(name, []);
  }
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    for (const [name, client] of clients) {
      samples.get(name)?.push(await client.call('run', run));
    }
  }
  return samples;
}

async function importTimes(): Promise<Map<string, number[]>> {
  const specifiers = {
    hubline: BUILT.href,
    ky: 'ky',
    stripe: 'stripe',
    openai: 'openai',
    octokit: '@octokit/core',
  };
  const times = new Map<string, number[]>();
  progress('imports');
  for (let count = 0; count < IMPORTS; count += 1) {
    for (const [name, specifier] of Object.entries(specifiers))
      times.set(name, [...(times.get(name) ?? []), await importMs(specifier, here)]);
  }
  return times;
}
