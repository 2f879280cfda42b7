/**
 * A server that kills itself at a point of the next write: a separate process, started by `idempotency.test.ts`.
 *
 *   node crashing-server.ts <data> commit|response
 */
import SQLite from 'better-sqlite3';
import { parseServerConfig } from '../../../src/config/config.ts';
import { Outgoing } from '../../../src/http/front/open-requests.ts';
import { startServer } from '../../../src/server.ts';

const [data = '', point = ''] = process.argv.slice(2);
let armed = false;

function dieAt(here: string): void {
  if (armed && here === point) process.kill(process.pid, 'SIGKILL');
}

// A server ends every transaction through one of these.
const { prepare, exec } = SQLite.prototype;
SQLite.prototype.prepare = function (this: SQLite.Database, sql: string) {
  const statement = prepare.call(this, sql);
  if (sql !== 'COMMIT') return statement;
  const run = statement.run.bind(statement) as (...parameters: unknown[]) => SQLite.RunResult;
  statement.run = (...parameters: unknown[]) => {
    dieAt('commit');
    return run(...parameters);
  };
  return statement;
} as typeof prepare;
SQLite.prototype.exec = function (this: SQLite.Database, sql: string) {
  if (sql === 'COMMIT') dieAt('commit');
  return exec.call(this, sql);
};

const { writeHead } = Outgoing.prototype;
Outgoing.prototype.writeHead = function (this: Outgoing, ...parameters: Parameters<typeof writeHead>) {
  dieAt('response');
  return writeHead.apply(this, parameters);
};

const server = await startServer(parseServerConfig({ data, port: 0, logLevel: 'silent' }, {}));
armed = true;
process.stdout.write(`${server.baseUrl}\n`);
