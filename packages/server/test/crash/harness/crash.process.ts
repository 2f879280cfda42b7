/**
 * All crash tests, for `pnpm bench crash`: kills under load, kills at every statement of every migration, planted bugs.
 * Progress goes to standard error, the result to standard output as one line of JSON.
 *
 *   node --conditions=hubline-source crash.process.ts '{"cycles": 200, "seed": 1}'
 */
import { runMigrationCrashes } from './migration-crashes.ts';
import { PLANTED } from './planted.ts';
import { runCrashes } from './run-crashes.ts';

// With five, some deliveries fail for good.
const FAILURES = 5;

const { cycles, seed } = JSON.parse(process.argv[2] ?? '') as { cycles: number; seed: number };
const say = (line: string) => void process.stderr.write(`${line}\n`);

const load = await runCrashes({ seed, cycles, failures: FAILURES, onDeath: say });
say('killing at every statement of every migration');
const migrations = await runMigrationCrashes();
const noticed: Record<string, boolean> = {};
for (const [bug, { options, says }] of Object.entries(PLANTED)) {
  say(`planting ${bug}`);
  const { violations } = await runCrashes(options);
  noticed[bug] = says.test(violations.join('\n'));
}
process.stdout.write(`${JSON.stringify({ load, migrations, noticed })}\n`);
