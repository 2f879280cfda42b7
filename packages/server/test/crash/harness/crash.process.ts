/**
 * All crash tests, for `pnpm bench crash`: kills under load, kills at every statement of every migration, planted bugs.
 * With `processes`, only the test of several processes on one PostgreSQL. Progress goes to standard error, the result
 * to standard output as one line of JSON.
 *
 *   node --conditions=hubline-source crash.process.ts '{"cycles": 200, "seed": 1}'
 */
import { createTestDatabase } from '../../../src/testing/test-database.ts';
import { startPostgres } from '../../start-postgres.ts';
import { runMigrationCrashes } from './runs/migration-crashes.ts';
import { PLANTED } from './runs/planted.ts';
import { runCrashes } from './runs/run-crashes.ts';
import type { InjectedFault } from './judge/lateness.ts';
import { runProcesses } from './runs/run-processes.ts';
import { smallDisk } from './small-disk.ts';

// With five, some deliveries fail for good.
const FAILURES = 5;

const FAULTS: readonly InjectedFault[] = [
  'kill',
  'cut',
  'silence',
  'kill',
  'freeze',
  'sever',
  'kill',
  'restart',
  'full',
];

const {
  cycles,
  seed,
  processes = 1,
  speed = 10,
  disk,
} = JSON.parse(process.argv[2] ?? '') as {
  cycles: number;
  seed: number;
  processes?: number;
  /** Seconds of the servers' clock per real second. */
  speed?: number;
  /** The folder of a small disk for PostgreSQL, which can be filled. */
  disk?: string;
};
const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Injects faults into several processes, and into the database under them, one after another. */
async function testProcesses() {
  const postgres = await startPostgres({
    durable: true,
    ...(disk !== undefined && { folder: disk, settings: ['max_wal_size=64MB', 'min_wal_size=32MB'] }),
  });
  try {
    const { url } = await createTestDatabase(postgres.url);
    const possible = FAULTS.filter((fault) => fault !== 'full' || disk !== undefined);
    const faults = Array.from(
      { length: cycles },
      (_, index) => possible[index % possible.length] as InjectedFault,
    );
    const room = disk === undefined ? {} : smallDisk(disk, postgres);
    return await runProcesses({
      seed,
      databaseUrl: url,
      processes,
      faults,
      speed,
      onFault: say,
      postgres: { restart: postgres.restart, ...room },
    });
  } finally {
    await postgres.stop();
  }
}

/** Kills one server again and again, and checks that planted bugs are noticed. */
async function testServer() {
  const load = await runCrashes({ seed, cycles, failures: FAILURES, onDeath: say });
  say('killing at every statement of every migration');
  const migrations = await runMigrationCrashes();
  const noticed: Record<string, boolean> = {};
  for (const [bug, { options, says }] of Object.entries(PLANTED)) {
    say(`planting ${bug}`);
    const { violations } = await runCrashes(options);
    noticed[bug] = says.test(violations.join('\n'));
  }
  return { load, migrations, noticed };
}

process.stdout.write(`${JSON.stringify(await (processes > 1 ? testProcesses() : testServer()))}\n`);
