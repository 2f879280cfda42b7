import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backup, restore, verifyBackup } from '../../src/backups/backup.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { migrateDatabase } from '../../src/start/storage/open-storage.ts';
import { lockDataDirectory } from '../../src/data-directory/data-directory.ts';
import { parseServerConfig, type ServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { initial } from '../../src/db/migrations/0001-initial.ts';
import { MIGRATIONS } from '../../src/db/migrations/migrate.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import { startServer } from '../../src/server.ts';
import { hublineCommand } from '../../../../scripts/programs/programs.ts';
import { Api } from '../api/support/api.ts';

let root: string;
let data: string;
let file: string;

const configOf = (flags: ServerFlags = {}): ServerConfig =>
  parseServerConfig({ port: 0, logLevel: 'silent', synchronous: 'NORMAL', data, ...flags }, {});

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubline-backup-'));
  data = join(root, 'data');
  file = join(root, 'backup.db');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Fills the data directory: a database with this owner, and its key. No server runs. */
async function filled(email: string) {
  return bootstrap(configOf(), { email, name: 'Acme', slug: 'acme' });
}

/** Another directory with the same master key. */
async function otherDirectory(): Promise<ServerConfig> {
  const other = join(root, 'other');
  await mkdir(other);
  await copyFile(join(data, 'master.key'), join(other, 'master.key'));
  return configOf({ data: other });
}

/** Makes every `fsync` of a directory fail, until the end of the test. */
function failDirectorySync(code: string): void {
  const { fsyncSync } = fs;
  const replace = (by: typeof fsyncSync): void => {
    fs.fsyncSync = by;
    syncBuiltinESMExports();
  };
  replace((descriptor) => {
    if (!fs.fstatSync(descriptor).isDirectory()) return fsyncSync(descriptor);
    throw Object.assign(new Error(`${code}: fsync`), { code, syscall: 'fsync' });
  });
  onTestFinished(() => replace(fsyncSync));
}

async function emailOf(config: ServerConfig, key: string): Promise<string> {
  await using server = await startServer(config);
  return (await new Api(server.baseUrl, key).call('me.get')).user.email;
}

describe('backup and restore', () => {
  it('bring everything to another directory, whose server continues with it', async () => {
    const { api_key: key } = await filled('ana@example.com');
    const written = backup(configOf(), file);
    expect(written).toMatchObject({ path: file, bytes: (await stat(file)).size });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const other = await otherDirectory();
    expect(restore(other, file)).toEqual({ path: join(other.data, 'hubline.db'), replaced: null });
    expect(await emailOf(other, key)).toBe('ana@example.com');
    expect((await readdir(root)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.each([
    ['Windows', 'EPERM'],
    ['some network file systems', 'EINVAL'],
  ])('work where directories cannot be synced, as on %s', async (_, code) => {
    failDirectorySync(code);
    const { api_key: key } = await filled('ana@example.com');
    expect(backup(configOf(), file).path).toBe(file);
    const other = await otherDirectory();
    restore(other, file);
    expect(await emailOf(other, key)).toBe('ana@example.com');
  });

  it('fail where a directory can be synced, and the disk fails', async () => {
    await filled('ana@example.com');
    failDirectorySync('EIO');
    expect(() => backup(configOf(), file)).toThrow('EIO');
  });

  it.runIf(process.getuid?.() === 0)(
    'by root leave every file to the owner of the data directory',
    async () => {
      const NOBODY = 65_534;
      await mkdir(data);
      await chown(data, NOBODY, NOBODY);
      await filled('ana@example.com');
      backup(configOf(), file);
      restore(configOf(), file, { force: true });
      const names = await readdir(data);
      const owners = await Promise.all(
        names.map(async (name) => [name, (await stat(join(data, name))).uid] as const),
      );
      expect(Object.fromEntries(owners)).toMatchObject({
        'backups.json': NOBODY,
        'hubline.db': NOBODY,
        'master.key': NOBODY,
      });
      expect(owners.filter(([, uid]) => uid !== NOBODY)).toEqual([]);
      expect((await stat(file)).uid).toBe(0);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'by root leave the database to the owner of the data directory, whoever owns the backup',
    async () => {
      const [OWNER, OTHER] = [65_534, 65_533];
      await filled('ana@example.com');
      backup(configOf(), file);
      await chown(file, OTHER, OTHER);
      await chmod(file, 0o644);
      const other = await otherDirectory();
      await chown(other.data, OWNER, OWNER);
      restore(other, file);
      expect(await stat(join(other.data, 'hubline.db'))).toMatchObject({ uid: OWNER, gid: OWNER });
      expect((await stat(join(other.data, 'hubline.db'))).mode & 0o777).toBe(0o600);
    },
  );

  it('put no master key into the file, in any form', async () => {
    await filled('ana@example.com');
    backup(configOf(), file);
    const key = Buffer.from(await readFile(join(data, 'master.key'), 'utf8'), 'base64');
    const bytes = await readFile(file);
    expect(bytes.includes(key)).toBe(false);
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      expect(bytes.includes(key.toString(encoding))).toBe(false);
  });
});

describe('backup', () => {
  it('refuses to replace a file without force, and to write beside the database', async () => {
    await filled('ana@example.com');
    await writeFile(file, 'precious');
    expect(() => backup(configOf(), file)).toThrow(/exists\. Replace it with --force/);
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(() => backup(configOf(), join(data, 'hubline.db'), { force: true })).toThrow(
      /beside the database/,
    );
    expect(() => backup(configOf(), join(root, 'no', 'x.db'))).toThrow(/no directory/);
    backup(configOf(), file, { force: true });
    expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('says what to use with PostgreSQL, and when there is no database', () => {
    const postgres = configOf({ databaseUrl: 'postgres://localhost/x' });
    expect(() => backup(postgres, file)).toThrow(/pg_dump/);
    expect(() => restore(postgres, file)).toThrow(/pg_restore/);
    expect(() => backup(configOf(), file)).toThrow(/no database in .*--data/);
  });
});

describe('restore', () => {
  it('refuses over a database without force; with it, keeps the old one', async () => {
    const { api_key: key } = await filled('ana@example.com');
    backup(configOf(), file);
    const other = await otherDirectory();
    const { api_key: otherKey } = await bootstrap(other, { email: 'bob@example.com' });
    expect(() => restore(other, file)).toThrow(/--force/);
    expect(await emailOf(other, otherKey)).toBe('bob@example.com');

    const { replaced } = restore(other, file, { force: true });
    expect(await emailOf(other, key)).toBe('ana@example.com');
    const kept = new SQLite(replaced ?? '', { readonly: true });
    expect(kept.prepare('select email from users').all()).toEqual([{ email: 'bob@example.com' }]);
    kept.close();
  });

  it('replaces a database that is damaged, and does not apply its log to the new one', async () => {
    const { api_key: key } = await filled('ana@example.com');
    backup(configOf(), file);
    const damaged = join(data, 'hubline.db');
    const live = new SQLite(damaged);
    live.exec("update users set email = 'mallory@example.com'");
    const log = await readFile(`${damaged}-wal`);
    live.close();
    await writeFile(damaged, 'no longer a database');
    await writeFile(`${damaged}-wal`, log);

    const { replaced } = restore(configOf(), file, { force: true });
    expect(await emailOf(configOf(), key)).toBe('ana@example.com');
    expect(await readFile(`${replaced}-wal`)).toEqual(log);
  });

  it('refuses without the master key of the backup, and with another one', async () => {
    await filled('ana@example.com');
    backup(configOf(), file);
    const empty = configOf({ data: join(root, 'empty') });
    expect(() => restore(empty, file)).toThrow(/needs the master key/);
    const wrong = { ...empty, masterKey: Buffer.alloc(32, 7).toString('base64') };
    expect(() => restore(wrong, file)).toThrow(/another master key/);
    expect(await exists(join(empty.data, 'hubline.db'))).toBe(false);
  });

  it('refuses a backup whose secrets need a further key, after a rotation that was interrupted, unless they may be lost', async () => {
    const { api_key: key, workspace_id: id } = await filled('ana@example.com');
    {
      await using server = await startServer(configOf());
      const body = {
        url: 'https://example.com',
        events: ['event.created'],
        workspace_id: id ?? '',
        secret: 's',
      };
      await new Api(server.baseUrl, key).call('webhooks.create', { body });
    }
    const database = new SQLite(join(data, 'hubline.db'));
    database.exec(`update webhooks set secret = 'v1.deadbeef.' || substr(secret, 13)`);
    database.close();
    backup(configOf(), file);
    const reason = 'sealed with the key deadbeef. Add that key, which is in the master.key of its server,';
    const facts = verifyBackup(configOf(), file);
    expect(facts).toMatchObject({ key_fits: false, unfit: expect.stringContaining(reason) });
    const other = await otherDirectory();
    expect(() => restore(other, file, { force: true })).toThrow(reason);
    restore(other, file, { withoutSecrets: true });
    expect(await emailOf(other, key)).toBe('ana@example.com');
  });

  it('refuses while a server runs on the directory', async () => {
    await filled('ana@example.com');
    backup(configOf(), file);
    const server = await startServer(configOf());
    expect(() => restore(configOf(), file, { force: true })).toThrow(/Another server is using/);
    await server.stop();
  });

  it('refuses what is not a backup: damaged, cut short, of something else, or a database in use', async () => {
    await filled('ana@example.com');
    backup(configOf(), file);
    const other = await otherDirectory();
    const intact = await readFile(file);
    const spoiled: [Buffer, string][] = [
      [Buffer.from('hello'), 'is not a database of Hubline'],
      [Buffer.alloc(0), 'is not a database of Hubline'],
      [intact.subarray(0, intact.length - 8_192), 'is damaged'],
      // SQLite finds nothing wrong with a last page that lacks a few bytes.
      [intact.subarray(0, intact.length - 1), 'is damaged'],
      [intact.subarray(0, intact.length - 100), 'is damaged'],
      // One page in the middle.
      [
        Buffer.concat([intact.subarray(0, 40_960), Buffer.alloc(4_096, 0xff), intact.subarray(45_056)]),
        'is damaged',
      ],
    ];
    for (const [bytes, what] of spoiled) {
      await writeFile(file, bytes);
      // The message is one line, and names the file as it was given.
      const told = new RegExp(`^${file} ${what}[^\n]*$`);
      expect(() => restore(other, file)).toThrow(told);
      expect(() => verifyBackup(other, file)).toThrow(told);
    }
    expect(() => restore(other, join(root, 'absent.db'))).toThrow(/no file/);
    await writeFile(file, intact);
    await writeFile(`${file}-wal`, '');
    expect(() => restore(other, file)).toThrow(/in use, not a backup/);
    expect((await readdir(other.data)).filter((name) => name.startsWith('hubline'))).toEqual([]);
  });

  it('refuses a backup of a newer version', async () => {
    await filled('ana@example.com');
    backup(configOf(), file);
    const database = new SQLite(file);
    database.prepare("insert into migrations values ('9999-from-the-future', '')").run();
    database.close();
    const other = await otherDirectory();
    expect(() => restore(other, file)).toThrow(/newer version of Hubline \(9999-from-the-future\)/);
  });
});

describe('a migration', () => {
  /** A database as the first version left it. */
  async function oldDatabase(): Promise<void> {
    await mkdir(data, { recursive: true });
    const store = openSqlite(join(data, 'hubline.db'));
    await store.write((tx) => initial.up(tx, 'sqlite'));
    await store.close();
    const database = new SQLite(join(data, 'hubline.db'));
    database.exec(`
      create table migrations (name text primary key, applied_at text not null);
      insert into migrations values ('0001-initial', '');
      insert into users (id, email, created_at, updated_at) values ('usr_0', 'old@example.com', '', '');`);
    database.close();
  }

  const copies = async () => ((await exists(join(data, 'backups'))) ? readdir(join(data, 'backups')) : []);

  it('that changes the database is preceded by a backup; a start without one is not', async () => {
    await oldDatabase();
    await (await startServer(configOf())).stop();
    const [copy = '', ...more] = await copies();
    expect({ copy, more }).toEqual({ copy: expect.stringMatching(/^before-0002-.*\.db$/), more: [] });
    const database = new SQLite(join(data, 'backups', copy), { readonly: true });
    expect(database.prepare('select email from users').all()).toEqual([{ email: 'old@example.com' }]);
    expect(database.prepare('select name from migrations').all()).toEqual([{ name: '0001-initial' }]);
    database.close();

    const { mtimeMs } = await stat(join(data, 'backups', copy));
    await (await startServer(configOf())).stop();
    expect(await copies()).toEqual([copy]);
    expect((await stat(join(data, 'backups', copy))).mtimeMs).toBe(mtimeMs);
  });

  it('is refused while an older server uses the database, which would store what the backup lacks', async () => {
    await oldDatabase();
    // As an older server does.
    const lock = lockDataDirectory(data);
    await expect(migrateDatabase(configOf())).rejects.toThrow(`Another server is using ${data}`);
    expect(await copies()).toEqual([]);
    lock.release();
    const { backup: copy } = await migrateDatabase(configOf());
    expect(copy).toMatch(/before-0002-.*\.db$/);
    // Nothing is left to do, so a server that runs is no obstacle.
    const server = await startServer(configOf());
    expect(await migrateDatabase(configOf())).toEqual({ backup: null });
    await server.stop();
  });

  it('is reported by the server that starts', async () => {
    await oldDatabase();
    const [program, ...line] = hublineCommand();
    const flags = ['--port=0', `--data=${data}`, '--log-format=json', '--json'];
    const server = spawn(program, [...line, 'server', 'start', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = text(server.stderr);
    await once(server.stdout, 'data');
    server.kill('SIGTERM');
    const told = (await log).split('\n').find((entry) => entry.includes('migrated the database')) ?? '{}';
    const [copy = ''] = await copies();
    expect(JSON.parse(told)).toMatchObject({
      steps: MIGRATIONS.slice(1).map(({ name }) => name),
      backup: join(data, 'backups', copy),
    });
  });

  it('is not preceded by a backup on a new database, nor when these backups are switched off', async () => {
    await filled('ana@example.com');
    expect(await copies()).toEqual([]);
    await rm(data, { recursive: true });
    await oldDatabase();
    await (await startServer(configOf({ migrationBackup: false }))).stop();
    expect(await copies()).toEqual([]);
  });

  it('does not begin when the backup cannot be written', async () => {
    await oldDatabase();
    await writeFile(join(data, 'backups'), 'in the way');
    await expect(startServer(configOf())).rejects.toThrow();
    const database = new SQLite(join(data, 'hubline.db'), { readonly: true });
    expect(database.prepare('select name from migrations').all()).toEqual([{ name: '0001-initial' }]);
    database.close();
  });
});
