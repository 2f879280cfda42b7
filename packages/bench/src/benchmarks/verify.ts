import { existsSync } from 'node:fs';
import type { VerifierMethods } from '../contenders/workers/verifiers.worker.ts';
import { type Options, wantedOf } from '../options.ts';
import { Worker } from '../process/worker.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median, medianRatio, spread } from '../statistics.ts';

const CONTENDERS = ['raw', 'hubline', 'hubline, one signature', 'stripe', 'svix', 'standardwebhooks'];
const OWN = 'hubline';
const BUILT = new URL('../../../webhooks/dist/index.js', import.meta.url);
/** Verifying is about twenty times as fast as sending an event through the server, so a round has more calls than events. */
const CALLS_PER_EVENT = 4;

/** Measures how many calls a second can be verified and parsed, compared with a bare `createHmac` and with other helpers. */
export async function verify(options: Options): Promise<Result> {
  const samples = await measure(options);
  const own = samples.get(OWN);
  const ratioTo = (name: string) => (own ? medianRatio(own, samples.get(name) ?? []) : Number.NaN);
  return {
    tables: [
      {
        title: 'Calls of 1 KB verified and parsed',
        columns: ['', 'per second', 'µs', 'spread'],
        rows: [...samples].map(([name, perS]) => [
          name,
          median(perS),
          1_000_000 / median(perS),
          spread(perS),
        ]),
      },
    ],
    notes: [
      'raw is createHmac, timingSafeEqual and JSON.parse, without looking for a header or explaining a failure.',
      'hubline checks what the server sends: X-Service-Signature, the signature of Standard Webhooks and its timestamp, ' +
        'so two HMACs. stripe, svix and standardwebhooks check one and a timestamp; "one signature" is X-Service-Signature alone.',
    ],
    figures: Object.fromEntries(
      CONTENDERS.filter((name) => samples.has(name) && !name.startsWith(OWN)).map((name) => [
        `rate_to_${name}`,
        ratioTo(name),
      ]),
    ),
    goals: {
      rate_to_raw: { atLeast: 0.4 },
      rate_to_stripe: { atLeast: 1 },
      rate_to_svix: { atLeast: 1 },
      rate_to_standardwebhooks: { atLeast: 1 },
    },
  };
}

async function measure(options: Options): Promise<Map<string, number[]>> {
  const calls = options.events * CALLS_PER_EVENT;
  const published = !options.source && existsSync(BUILT);
  const isWanted = wantedOf(options, CONTENDERS);
  await using stack = new AsyncDisposableStack();
  const workers = new Map<string, Worker<VerifierMethods>>();
  const samples = new Map<string, number[]>();
  const module = new URL('../contenders/workers/verifiers.worker.ts', import.meta.url);
  for (const name of CONTENDERS) {
    if (name !== OWN && !isWanted(name)) continue;
    const worker = stack.use(new Worker<VerifierMethods>(module, { published }));
    await worker.call('prepare', name);
    // Compiles the code.
    await worker.call('run', { calls });
    workers.set(name, worker);
    samples.set(name, []);
  }
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const [name, worker] of workers) {
      progress(`round ${round} of ${options.rounds}: ${name}`);
      samples.get(name)?.push(await worker.call('run', { calls }));
    }
  }
  return samples;
}
