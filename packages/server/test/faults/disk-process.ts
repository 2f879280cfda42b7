/**
 * A server on the disk of that folder, started by `disk-full.test.ts`. It runs until its input ends, and fails if its
 * database is damaged then.
 *
 *   node disk-process.ts <folder> <number of sender threads>
 */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';

const [data = '', senders = ''] = process.argv.slice(2);
const flags = {
  data,
  port: 0,
  logLevel: 'warn',
  logFormat: 'json',
  allowHttpLocalhost: true,
  rateLimit: 10_000_000,
  senders: Number(senders),
} as const;
const config = parseServerConfig(flags, {});
const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
const server = await startServer(config);
const started = { baseUrl: server.baseUrl, apiKey: owner.api_key, workspaceId: owner.workspace_id };
process.stdout.write(`${JSON.stringify(started)}\n`);
process.stdin.resume().once('end', () => void end());

async function end(): Promise<void> {
  await server.stop();
  const database = new SQLite(join(data, 'hubline.db'), { readonly: true });
  if (database.pragma('integrity_check', { simple: true }) !== 'ok') process.exitCode = 1;
  database.close();
}
