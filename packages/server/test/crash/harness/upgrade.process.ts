/**
 * A rolling upgrade under load, for `pnpm bench upgrade`: processes of this checkout replace those of an older one, one after
 * another, on the same PostgreSQL. The first new process migrates the database. The result goes to standard output as one
 * line of JSON.
 *
 *   node --conditions=hubline-source upgrade.process.ts '{"release": "/tmp/older", "processes": 2, "seed": 1}'
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../../src/testing/test-database.ts';
import { startPostgres } from '../../start-postgres.ts';
import { openDatabase } from './database.ts';
import { Fleet } from './runs/fleet.ts';

const STEADY_MS = 3_000;
// The reaction time of a load balancer that asks `/readyz` every second.
const NOTICED_MS = 1_000;

const { release, processes, seed } = JSON.parse(process.argv[2] ?? '') as {
  release: string;
  processes: number;
  seed: number;
};
const say = (line: string) => void process.stderr.write(`${line}\n`);

const postgres = await startPostgres({ durable: true });
try {
  const { url: databaseUrl } = await createTestDatabase(postgres.url);
  const migrations = async () => {
    const database = await openDatabase({ data: '', databaseUrl });
    const rows = await database.all<{ name: string }>('select name from migrations order by name');
    await database.close();
    return rows.map(({ name }) => name);
  };
  // The clock runs at real speed, because the harness of an older release may know no other. Retries come after five seconds.
  const options = { seed, databaseUrl, speed: 1, failures: 1, release };
  await using fleet = await Fleet.start(processes, options);
  const before = await migrations();
  await sleep(STEADY_MS);
  const olds = fleet.members.slice();
  for (const old of olds) {
    await fleet.serve();
    say(`a new process beside the old ones; ${fleet.publishers.acknowledged.size} acknowledged`);
    await sleep(STEADY_MS);
    fleet.hit();
    await Promise.all([fleet.stop(old), sleep(NOTICED_MS).then(() => fleet.withdraw(old))]);
    say(`an old process has ended; ${fleet.publishers.acknowledged.size} acknowledged`);
  }
  await sleep(STEADY_MS);
  const { repeated, longestPauseMs } = fleet.publishers;
  const { seen: _, ...verdict } = await fleet.finish();
  const added = (await migrations()).filter((name) => !before.includes(name));
  process.stdout.write(`${JSON.stringify({ ...verdict, added, requests: repeated, longestPauseMs })}\n`);
} finally {
  await postgres.stop();
}
