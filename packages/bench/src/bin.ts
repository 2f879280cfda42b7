import { FLAG_HELP, type Options, parseOptions } from './options.ts';
import { describeMachine } from './process/machine.ts';
import { renderResult } from './report/print.ts';
import type { Result } from './report/result.ts';

interface Benchmark {
  summary: string;
  load(): Promise<(options: Options) => Promise<Result>>;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  pipeline: {
    summary: 'event over HTTP to signed webhook call, compared with BullMQ, pg-boss and a naive server',
    load: async () => (await import('./benchmarks/pipeline/pipeline.ts')).pipeline,
  },
  pipeline_postgres: {
    summary: 'the same with the server on PostgreSQL, compared with pg-boss',
    load: async () => (await import('./benchmarks/pipeline/pipeline-postgres.ts')).pipelinePostgres,
  },
  'scale-out': {
    summary: 'one to three processes on one PostgreSQL: CPU, limits, streams and revocation',
    load: async () => (await import('./benchmarks/scale/scale-out.ts')).scaleOut,
  },
  read: {
    summary: 'one event, a page of 20 and of 100, compared with a bare handler on the same file',
    load: async () => (await import('./benchmarks/read.ts')).read,
  },
  lists: {
    summary: 'the first page of a million events, with each filter of the dashboard',
    load: async () => (await import('./benchmarks/lists.ts')).lists,
  },
  scale: {
    summary:
      'what operations cost with 1,000 to 5,000,000 stored deliveries, and a start with a million pending',
    load: async () => (await import('./benchmarks/scale/scale.ts')).scale,
  },
  fanout: {
    summary: 'one event to 1,000 webhooks, and 10,000 webhooks with one event each',
    load: async () => (await import('./benchmarks/fanout/fanout.ts')).fanout,
  },
  isolation: {
    summary: 'how long healthy webhooks wait while others hang',
    load: async () => (await import('./benchmarks/isolation.ts')).isolation,
  },
  automations: {
    summary: 'what automations cost an event that starts none of them, or one',
    load: async () => (await import('./benchmarks/automations/automations.ts')).automations,
  },
  bounds: {
    summary:
      'clients that ask for too much and read nothing of it: memory, and the service for a well-behaved client',
    load: async () => (await import('./benchmarks/bounds.ts')).bounds,
  },
  soak: {
    summary: 'an hour under a steady load: growth of memory and descriptors, and what is lost',
    load: async () => (await import('./benchmarks/soak/soak.ts')).soak,
  },
  crash: {
    summary: 'the server killed at named points and at random: nothing acknowledged may be lost',
    load: async () => (await import('./benchmarks/crash.ts')).crash,
  },
  upgrade: {
    summary:
      'processes of an older version replaced one after another under load: what fails, and what is lost',
    load: async () => (await import('./benchmarks/upgrade.ts')).upgrade,
  },
  fuzz: {
    summary: 'odd requests to the whole API; every response is checked against the OpenAPI document',
    load: async () => (await import('./benchmarks/fuzz.ts')).fuzz,
  },
  profile: {
    summary: "where the server's CPU time goes on the way of an event",
    load: async () => (await import('./benchmarks/profile.ts')).profile,
  },
  cli: {
    summary: 'how long commands take to start, compared with a bare node and the CLIs of Stripe and Hookdeck',
    load: async () => (await import('./benchmarks/cli.ts')).cli,
  },
  sdk: {
    summary: 'what a request through the SDK costs, compared with bare fetch, stripe, openai and octokit',
    load: async () => (await import('./benchmarks/sdk.ts')).sdkOverhead,
  },
  verify: {
    summary:
      'webhook calls verified and parsed, compared with bare createHmac, stripe, svix and standardwebhooks',
    load: async () => (await import('./benchmarks/verify.ts')).verify,
  },
};

const names = Object.entries(BENCHMARKS).map(([name, { summary }]) => `  ${name.padEnd(17)} ${summary}`);
const USAGE = `Usage: pnpm bench <name> [options]\n\n${names.join('\n')}\n${FLAG_HELP}\n`;

async function main(argv: readonly string[]): Promise<void> {
  const { names: asked, help, options } = parseOptions(argv);
  if (help) return void process.stdout.write(USAGE);
  const [name = ''] = asked;
  const benchmark = BENCHMARKS[name];
  if (!benchmark || asked.length > 1) throw new TypeError(`Name one benchmark.\n\n${USAGE}`);
  const run = await benchmark.load();
  const result = await run(options);
  process.stdout.write(`${renderResult(result)}\n\nMeasured on ${describeMachine()}.\n`);
  if (options.json) process.stdout.write(`${JSON.stringify({ name, figures: result.figures })}\n`);
}

// Without a listener, a signal would end the process without its `exit` event, which removes folders and ends servers. The library that
// runs PostgreSQL has its own listener, which ends the process later.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(code);
  });

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // The library that runs PostgreSQL would end the process with 0.
  process.exit(2);
}
