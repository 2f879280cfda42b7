import { parseArgs } from 'node:util';

/** What the command line may change. Every default is what docs/benchmarks.md reports. */
export interface Options {
  json: boolean;
  rounds: number;
  /** Events of a round, for benchmarks that send events. */
  events: number;
  connections: number;
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
  only: { type: 'string' },
  source: { type: 'boolean', default: false },
  profile: { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

export const FLAG_HELP = `
  --json              last line: {"name", "figures": {key: number}}
  --rounds N          rounds, whose medians count (default 3)
  --events N          events in a round (default 12000)
  --connections N     connections of the load generator (default 64)
  --only a,b          only these contenders or parts
  --source            run Hubline from its sources even where it is built
  --profile DIR       write CPU profiles of Hubline there (its figures are worse then)`;

/** The benchmark's name and the options. Throws `TypeError` for what is not known. */
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
      only: values.only?.split(','),
      source: values.source,
      profile: values.profile,
    },
  };
}

function count(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new TypeError(`--${flag} must be a whole number from 1 on; it is "${text}".`);
  }
  return value;
}
