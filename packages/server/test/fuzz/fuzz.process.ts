/**
 * A run of the fuzzer against its own server, reported as JSON on standard output.
 *
 *   node fuzz.process.ts '{"seed": 1, "requests": 1000, "database": "postgres"}'
 */
import { startPostgres } from '../start-postgres.ts';
import { startServerProcess } from './fuzz-target.ts';
import { runFuzz } from './run-fuzz.ts';

interface Input {
  seed: number;
  requests: number;
  database: 'sqlite' | 'postgres';
}

const { seed, requests, database } = JSON.parse(process.argv[2] ?? '') as Input;
const postgres = database === 'postgres' ? await startPostgres() : null;
try {
  await using server = await startServerProcess({ postgresUrl: postgres?.url });
  const onProgress = (done: number) => process.stderr.write(`${done} of ${requests} requests\n`);
  process.stdout.write(JSON.stringify(await runFuzz(server, { seed, requests, onProgress })));
} finally {
  await postgres?.stop();
}
