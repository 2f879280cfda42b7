import { parseArgs } from 'node:util';

/** Options of the command line. docs/benchmarks.md reports results with the defaults. */
export interface Options {
  json: boolean;
  rounds: number;
  /** Events of a round, for benchmarks that send events. */
  events: number;
  connections: number;
  /** Above 1, `pipeline` also publishes this many events in one request. */
  batch: number;
  /** The longest time that `pipeline` waits for a quiet machine before a measurement, in seconds. */
  calm: number;
  /** The seconds for which `isolation` sends events, and `bounds` attacks. */
  seconds: number;
  /** The seconds that a hanging webhook of `isolation` takes to respond. */
  hang: number;
  /** The length of `soak`, in minutes. */
  minutes: number;
  /** The single-file program to run as the server; `undefined` for the build or the sources. */
  binary: string | undefined;
  /** The number of times that `crash` kills the server. */
  cycles: number;
  /** The number of processes that `crash` harms; above 1, on one PostgreSQL. */
  processes: number;
  /** The factor by which the servers' clocks run fast, for `crash` with several processes. */
  speed: number;
  /** The commit whose server `upgrade` begins with; `undefined` for the one before the last migration. */
  from: string | undefined;
  /** The number of requests that `fuzz` sends, and the database of its server. */
  requests: number;
  database: 'sqlite' | 'postgres';
  /** The seed of a run of `crash` or `fuzz`; `undefined` for a new one each time. */
  seed: number | undefined;
  /** `fanout` sends to HTTPS receivers of different names instead. */
  tls: boolean;
  /** Rows that `scale` stores, for each of its databases. */
  rows: readonly number[];
  /** Names of the parts to run; `undefined` for all. */
  only: readonly string[] | undefined;
  source: boolean;
  profile: string | undefined;
}

const FLAGS = {
  json: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
  events: { type: 'string', default: '12000' },
  connections: { type: 'string', default: '64' },
  batch: { type: 'string', default: '1' },
  calm: { type: 'string', default: '10' },
  seconds: { type: 'string', default: '20' },
  hang: { type: 'string', default: '30' },
  minutes: { type: 'string', default: '60' },
  binary: { type: 'string' },
  cycles: { type: 'string', default: '50' },
  processes: { type: 'string', default: '1' },
  speed: { type: 'string', default: '10' },
  from: { type: 'string' },
  requests: { type: 'string', default: '20000' },
  database: { type: 'string', default: 'sqlite' },
  seed: { type: 'string' },
  tls: { type: 'boolean', default: false },
  rows: { type: 'string', default: '1000,100000,1000000' },
  only: { type: 'string' },
  source: { type: 'boolean', default: false },
  profile: { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

export const FLAG_HELP = `
  --json              last line: {"name", "figures": {key: number}}
  --rounds N          number of rounds; results are their medians (default 3)
  --events N          events in a round (default 12000)
  --connections N     connections of the load generator (default 64)
  --batch N           above 1, pipeline also publishes N events in one request
  --calm N            how long pipeline waits for a quiet machine before it measures, in seconds (default 10)
  --seconds N         how long isolation sends events, and each attack of bounds (default 20)
  --hang N            how long a hanging webhook takes, in seconds (default 30)
  --minutes N         how long soak lasts (default 60)
  --binary FILE       run this single-file program as the server, instead of the build
  --cycles N          how often crash kills the server under load (default 50)
  --processes N       above 1, crash harms N servers on one PostgreSQL, and PostgreSQL itself
  --speed N           the factor by which the servers' clocks run fast in crash with several processes (default 10)
  --from COMMIT       the older version that upgrade begins with (default: the one before the last migration)
  --requests N        how many requests fuzz sends (default 20000)
  --database NAME     the database of fuzz's server: sqlite or postgres (default sqlite)
  --seed N            repeats a run of crash or fuzz
  --tls               fanout sends to 500 HTTPS receivers of different names
  --rows a,b          rows that scale stores (default 1000,100000,1000000; add 5000000)
  --only a,b          only these contenders or parts
  --source            run Hubline from its sources even where it is built
  --profile DIR       keep CPU profiles of Hubline in this folder (profiling makes the figures worse)`;

/** Parses the names of benchmarks and the options. Throws `TypeError` for an unknown option or an invalid value. */
export function parseOptions(argv: readonly string[]): { names: string[]; help: boolean; options: Options } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: FLAGS,
    allowPositionals: true,
  });
  return {
    names: positionals,
    help: values.help,
    options: {
      json: values.json,
      rounds: count('rounds', values.rounds),
      events: count('events', values.events),
      connections: count('connections', values.connections),
      batch: count('batch', values.batch),
      calm: count('calm', values.calm),
      seconds: count('seconds', values.seconds),
      hang: count('hang', values.hang),
      minutes: count('minutes', values.minutes),
      binary: values.binary,
      cycles: count('cycles', values.cycles),
      processes: count('processes', values.processes),
      speed: count('speed', values.speed),
      from: values.from,
      requests: count('requests', values.requests),
      database: databaseOf(values.database),
      seed: values.seed === undefined ? undefined : count('seed', values.seed),
      tls: values.tls,
      rows: values.rows.split(',').map((rows) => count('rows', rows)),
      only: values.only?.split(','),
      source: values.source,
      profile: values.profile,
    },
  };
}

/** Reports whether a part is wanted. Throws `TypeError` if `--only` names one that there is not. */
export function wantedOf({ only }: Options, parts: readonly string[]): (part: string) => boolean {
  const unknown = only?.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new TypeError(`--only takes ${parts.join(', ')}; not "${unknown}".`);
  return (part) => only?.includes(part) ?? true;
}

function databaseOf(name: string): Options['database'] {
  if (name === 'sqlite' || name === 'postgres') return name;
  throw new TypeError(`--database must be sqlite or postgres; it is "${name}".`);
}

function count(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new TypeError(`--${flag} must be a whole number of at least 1; it is "${text}".`);
  }
  return value;
}
