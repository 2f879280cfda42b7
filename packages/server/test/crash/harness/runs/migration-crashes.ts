import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { CrashPoint } from '../../../../src/chaos/chaos.ts';
import { parseServerConfig } from '../../../../src/config/config.ts';
import { initial } from '../../../../src/db/migrations/0001-initial.ts';
import { openSqlite } from '../../../../src/db/sqlite/sqlite-store.ts';
import { openStorage } from '../../../../src/start/storage/open-storage.ts';
import { Child } from '../child.ts';
import { problemsOf, sqliteFile } from '../database.ts';
import type { MigrateInput } from '../migrate.process.ts';

/** The result of a run. */
export interface MigrationReport {
  kills: number;
  violations: string[];
}

/** The points at which a start can die before it serves. */
const POINTS = [
  'migration.begun',
  'migration.statement',
  'migration.applied',
  'commit.begun',
  'commit.done',
  'backup.begun',
  'backup.copied',
  'backup.synced',
  'backup.renamed',
] as const satisfies readonly CrashPoint[];

/**
 * Kills the first start on a new database, and the first start of this version on an old one, at every statement of
 * every migration and at the steps around them: at the first, at the second, and so on, until a start survives. After
 * each kill, the database must be in its old or its new state, and the next start must complete it. `stride` skips
 * statements: only every nth is a kill.
 */
export async function runMigrationCrashes({ stride = 1 } = {}): Promise<MigrationReport> {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-migration-'));
  try {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const old = join(folder, 'old');
    await makeOld(old);
    const complete = join(folder, 'complete');
    await start(complete);
    const wanted = schemaOf(complete);
    const report: MigrationReport = { kills: 0, violations: [] };
    for (const before of [empty, old]) {
      // A new database is not copied before its first migration.
      const points = POINTS.filter((point) => before === old || !point.startsWith('backup.'));
      for (const point of points)
        await crashAtEach(point, { before, wanted, scratch: join(folder, 'data'), stride, report });
    }
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Situation {
  before: string;
  wanted: string;
  scratch: string;
  stride: number;
  report: MigrationReport;
}

async function crashAtEach(point: CrashPoint, situation: Situation): Promise<void> {
  const { before, wanted, scratch, stride, report } = situation;
  const was = schemaOf(before);
  for (let time = 1; ; time += stride) {
    await rm(scratch, { recursive: true, force: true });
    cpSync(before, scratch, { recursive: true });
    const input: MigrateInput = { data: scratch };
    const child = new Child('migrate', { input, env: { HUBLINE_CRASH_AT: `${point}:${time}` } });
    const end = await child.ended;
    const say = (what: string) => void report.violations.push(`${point}:${time} ${what}`);
    if (end === 0) return;
    if (end !== 'SIGKILL') return say(`ended with ${end}: ${child.errors}`);
    report.kills += 1;
    // The check opens a copy, so that the next start finds everything that the dead process left, including its log.
    const copy = `${scratch}.copy`;
    cpSync(scratch, copy, { recursive: true });
    const now = schemaOf(copy);
    if (now !== was && now !== wanted) say('left a schema between two versions');
    await rm(copy, { recursive: true });
    try {
      await start(scratch);
    } catch (error) {
      say(`keeps the next start from succeeding: ${String(error)}`);
      continue;
    }
    if (schemaOf(scratch) !== wanted) say('is not completed by the next start');
    if (namesOf(scratch) !== namesOf(before)) say('lost rows');
    const left = readdirSync(scratch, { recursive: true }).filter((name) =>
      String(name).includes('.partial-'),
    );
    if (left.length > 0) say(`left ${left.join(', ')}`);
    for (const problem of problemsOf(sqliteFile(scratch))) say(problem);
  }
}

/** Does in this process what a server does at its start before it serves. */
async function start(data: string): Promise<void> {
  const { store } = await openStorage(parseServerConfig({ data }, {}), new Date(), { upgrade: true });
  await store.close();
}

/** A database of the first version, with rows. */
async function makeOld(data: string): Promise<void> {
  mkdirSync(data, { recursive: true });
  const store = openSqlite(sqliteFile(data));
  await store.write((tx) => initial.up(tx, 'sqlite'));
  await store.close();
  const database = new SQLite(sqliteFile(data));
  database.exec(`
    create table migrations (name text primary key, applied_at text not null);
    insert into migrations values ('${initial.name}', '2026-01-01T00:00:00.000Z');
    insert into users (id, email, created_at, updated_at)
      values ('usr_1', 'a@example.com', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');`);
  database.close();
}

/** The whole schema as text; empty without a database. */
function schemaOf(data: string): string {
  return ask(data, `select name, sql from sqlite_master where sql is not null order by name`);
}

const namesOf = (data: string): string => ask(data, `select email from users order by email`);

function ask(data: string, sql: string): string {
  if (!readdirSync(data).includes('hubline.db')) return '[]';
  const database = new SQLite(sqliteFile(data));
  try {
    const tables = database.prepare(`select count(*) from sqlite_master where type = 'table'`).pluck().get();
    return tables === 0 ? '[]' : JSON.stringify(database.prepare(sql).all());
  } finally {
    database.close();
  }
}
