import { spawnSync } from 'node:child_process';
import { createHublineData, hublineCommand, startHubline } from '../contenders/hubline-server.ts';
import { installNativeClis } from '../contenders/native-clis.ts';
import { type Options, wantedOf } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { progress } from '../report/progress.ts';
import type { Goal, Result } from '../report/result.ts';
import { median, medianRatio } from '../statistics.ts';

/** A program to start and wait for. */
interface Start {
  readonly label: string;
  readonly key: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly goal?: Goal;
}

/** Starts of each command in a round. */
const STARTS = 40;

/**
 * Measures how long a command takes from start to end, as a multiple of `node -e 0` in the same round: the wait of a user, independent
 * of the speed of the machine.
 */
export async function cli(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  using peers = temporaryFolder();
  const owner = await createHublineData(folder.path, options);
  await using server = await startHubline(owner, options);
  const hubline = hublineCommand(options);
  const { port } = server.target('/');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    HUBLINE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    HUBLINE_API_KEY: owner.apiKey,
  };
  progress('fetching the CLIs of Stripe and Hookdeck');
  const native = installNativeClis(peers.path);
  const own = (key: string, args: readonly [string, ...string[]], goal?: Goal): Start => ({
    key,
    label: `hubline ${args.join(' ')}`,
    command: [process.execPath, ...hubline, ...args],
    ...(goal && { goal }),
  });
  const peersOf = (flag: string): Start[] =>
    native.map(({ name, program }) => ({
      key: `${name}_${flag}`,
      label: `${name} --${flag}`,
      command: [program, `--${flag}`],
    }));
  const all: Start[] = [
    { key: 'node', label: 'node -e 0', command: [process.execPath, '-e', '0'] },
    own('version', ['--version'], { atMost: 1.2 }),
    own('help', ['--help'], { atMost: 1.35 }),
    own('noun_help', ['member', '--help']),
    own('command', ['workspace', 'list', '--json'], { atMost: 2.2 }),
    own('complete', ['__complete', 'mem']),
    ...peersOf('version'),
    ...peersOf('help'),
  ];
  const isWanted = wantedOf(
    options,
    all.map(({ key }) => key),
  );
  const starts = all.filter(({ key }) => key === 'node' || isWanted(key));

  const rounds = Array.from({ length: options.rounds }, (_, index) => {
    progress(`round ${index + 1} of ${options.rounds}`);
    return measure(starts, env);
  });
  const timesOf = (key: string) => rounds.map((round) => round.get(key) ?? NaN);
  const ms = new Map(starts.map(({ key }) => [key, median(timesOf(key))]));
  const ratios = starts.map((start: Start) => {
    const { label, key, goal } = start;
    const ratio = medianRatio(timesOf(key), timesOf('node'));
    return { label, key, goal, ratio };
  });
  const compared = ratios.filter(({ key }) => key !== 'node');
  return {
    tables: [
      {
        title: 'From start to end',
        columns: ['command', 'ms', 'of node -e 0'],
        rows: ratios.map(({ label, key, ratio }) => [label, ms.get(key) ?? NaN, ratio]),
      },
    ],
    notes: [
      `Medians of ${STARTS} starts in each of ${options.rounds} rounds; in a round the commands take turns.`,
      ...(native.length < 2 ? ['Not all CLIs to compare with could be fetched from npm.'] : []),
    ],
    figures: Object.fromEntries(compared.map(({ key, ratio }) => [`${key}_ratio`, ratio])),
    goals: Object.fromEntries(
      compared.flatMap(({ key, goal }) => (goal ? [[`${key}_ratio`, goal] as const] : [])),
    ),
  };
}

/** The median time of each command, in milliseconds. Commands take turns, so that a disturbance of the machine affects all of them. */
function measure(starts: readonly Start[], env: NodeJS.ProcessEnv): Map<string, number> {
  const times = new Map<string, number[]>(starts.map(({ key }) => [key, []]));
  for (let count = 0; count < STARTS; count += 1) {
    for (const { key, label, command } of starts) {
      const [program, ...args] = command;
      const began = performance.now();
      const { status, stderr } = spawnSync(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      times.get(key)?.push(performance.now() - began);
      if (status !== 0) throw new Error(`${label} ended with ${status}: ${stderr.toString('utf8')}`);
    }
  }
  return new Map([...times].map(([key, values]) => [key, median(values)]));
}
