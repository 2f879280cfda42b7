import type { CrashPoint } from '../../../../src/chaos/chaos.ts';
import type { Random } from '../../../random.ts';

/** One way for a server to die. */
export interface Death {
  how: 'random' | 'checkpoint' | 'backup' | 'sender' | ServerPoint | BackupPoint;
  /**
   * The number of the visit to the point, or of the sender's call, at which it dies. For other kinds, milliseconds
   * after the start.
   */
  at: number;
  /** At the points of jobs: the only kind of job whose visits count. */
  kind?: string;
}

// Automations, notifications and the deletion of workspaces have crash tests of their own: the load has none of them.
type ServerPoint = Exclude<
  CrashPoint,
  `${'automation' | 'backup' | 'migration' | 'notification' | 'workspace'}.${string}`
>;
type BackupPoint = Extract<CrashPoint, `backup.${string}`>;

/** The highest visit that may be chosen: about a second of load. */
const SERVER_POINTS: Readonly<Record<ServerPoint, number>> = {
  'commit.begun': 150,
  'commit.done': 150,
  'claim.committed': 20,
  'sender.received': 20,
  'attempt.sent': 200,
  'attempt.ended': 200,
  'record.committed': 50,
  'job.claimed': 8,
  'job.worked': 8,
  'job.recorded': 8,
  'retention.removed': 2,
  'retention.committed': 2,
};

const SENDER_CALLS_MAX = 100;

// The backup dies at these points, and the server goes on. One cycle tests only one of them.
const BACKUP_POINTS: readonly BackupPoint[] = [
  'backup.begun',
  'backup.copied',
  'backup.synced',
  'backup.renamed',
];

// From the middle of the start to well into the load.
const RANDOM_MS = { least: 150, most: 1_500 };

/** Reports whether this point is in the server's own code. */
export function isServerPoint(how: Death['how']): how is ServerPoint {
  return Object.hasOwn(SERVER_POINTS, how);
}

/** Names a point for `HUBLINE_CRASH_AT`. */
export const crashAt = ({ how, at, kind }: Death): string =>
  kind === undefined ? `${how}:${at}` : `${how}:${at}:${kind}`;

/** Reports whether the backup dies there, and not the server. */
export function isBackupPoint(how: Death['how']): how is BackupPoint {
  return BACKUP_POINTS.some((point) => point === how);
}

/** Reports whether this happens in the thread of a sender. */
export function needsSender(how: Death['how']): boolean {
  return how === 'sender' || how === 'sender.received';
}

/** Plans a death at each of these points and as many at random times, in any order. */
export function planDeathsAt(random: Random, points: readonly ServerPoint[], randomTimes: number): Death[] {
  const named = points.map((how): Death => ({ how, at: random.between(1, SERVER_POINTS[how]) }));
  return random.shuffled([...named, ...atRandomTimes(random, randomTimes)]);
}

const atRandomTimes = (random: Random, count: number): Death[] =>
  Array.from({ length: count }, () => ({
    how: 'random',
    at: random.between(RANDOM_MS.least, RANDOM_MS.most),
  }));

/** Plans this many deaths: every kind once before any repeats, and as many at random times as at all points together. */
export function planDeaths(random: Random, cycles: number, { sqlite }: { sqlite: boolean }): Death[] {
  const deaths: Death[] = [];
  while (deaths.length < cycles) {
    const named: Death[] = Object.entries(SERVER_POINTS).map(([how, most]) => ({
      how: how as ServerPoint,
      at: random.between(1, most),
    }));
    // A sender dies, and the server lives on for a while.
    named.push({ how: 'sender', at: random.between(1, SENDER_CALLS_MAX) });
    if (sqlite) {
      const time = () => random.between(RANDOM_MS.least, RANDOM_MS.most);
      const point = BACKUP_POINTS[random.between(0, BACKUP_POINTS.length - 1)] ?? 'backup.begun';
      named.push(
        { how: 'checkpoint', at: time() },
        { how: 'backup', at: time() },
        { how: point, at: time() },
      );
    }
    const others = atRandomTimes(random, named.length);
    deaths.push(...random.shuffled(named), ...others);
  }
  const planned = random.shuffled(deaths.slice(0, cycles));
  // Retention needs finished events.
  const isLate = ({ how }: Death) => how.startsWith('retention.');
  const [late, early] = [planned.filter(isLate), planned.filter((death) => !isLate(death))];
  const half = Math.floor(early.length / 2);
  return [...early.slice(0, half), ...random.shuffled([...early.slice(half), ...late])];
}
