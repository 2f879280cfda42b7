import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest';
import { ConfigError, parseServerConfig } from '../../src/config/config.ts';
import { databaseWarning } from '../../src/start/storage/database-warning.ts';
import { openStorage } from '../../src/start/storage/open-storage.ts';
import { openPostgres } from '../../src/db/postgres/postgres-store.ts';
import { makeCertificate } from '../../src/outbound/certificate.fixture.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'hubline-first-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts servers at the same time on the empty database. The result of each is the fingerprint of its key, or a refusal. */
async function startAtOnce(...folders: string[]): Promise<PromiseSettledResult<string>[]> {
  return Promise.allSettled(
    folders.map(async (name) => {
      const config = parseServerConfig({ data: join(folder, name), databaseUrl: database.url }, {});
      const { store, vault } = await openStorage(config, new Date());
      await store.close();
      return vault.fingerprint;
    }),
  );
}

it('when servers with different keys start at once, the database takes the key of one, and refuses the others', async () => {
  const starts = await startAtOnce('a', 'b', 'c');
  const refused = starts.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const start of refused)
    expect(String((start as PromiseRejectedResult).reason)).toMatch(
      /is not the master key|needs its master key/,
    );
});

it('refuses a database whose encoding cannot store every text', async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const name = `${database.name}_latin`;
  onTestFinished(async () => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  });
  await client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  const databaseUrl = database.url.replace(database.name, name);
  await expect(openStorage(parseServerConfig({ data: folder, databaseUrl }, {}), new Date())).rejects.toThrow(
    /has the encoding LATIN1, .*create database hubline encoding 'UTF8'/,
  );
});

it('servers that start at once on one data directory share a key', async () => {
  const starts = await startAtOnce('a', 'a', 'a');
  expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(new Set(starts.map((start) => (start as PromiseFulfilledResult<string>).value)).size).toBe(1);
  expect(await databaseWarning({ databaseUrl: database.url })).toBeNull();
});

it.each<[string, (url: URL) => void, RegExp]>([
  [
    'a database that is not there',
    (url) => void (url.pathname = '/nowhere'),
    /the database nowhere.*Create the database/,
  ],
  [
    'a user who is not there',
    (url) => void (url.username = 'nobody'),
    /"nobody".*Check the user and the password/,
  ],
  [
    'a port at which nothing listens',
    (url) => void (url.port = '1'),
    /localhost:1 cannot be reached: nothing listens there\. Check that PostgreSQL is running there/,
  ],
  [
    'TLS, which the database does not speak,',
    (url) => void (url.search = '?sslmode=require'),
    /cannot be reached: it does not speak TLS\. Give PostgreSQL a certificate/,
  ],
  [
    'a file that is not there',
    (url) => void (url.search = '?sslrootcert=/nope'),
    /: sslrootcert=\/nope in .* cannot be read: no such file or directory\./,
  ],
  [
    'parameters that do not go together',
    (url) => void (url.search = '?uselibpqcompat=true&sslmode=verify-ca'),
    /--database-url \(or HUBLINE_DATABASE_URL\) cannot be used: /,
  ],
  [
    'a database that takes only reads, such as a replica,',
    (url) => void (url.search = '?options=-c%20default_transaction_read_only%3Don'),
    /takes only reads of the database .* name the primary in --database-url/,
  ],
  [
    'a parameter that the database does not know',
    (url) => void (url.search = '?options=-c%20nope%3D1'),
    /refuses the database .*: unrecognized configuration parameter "nope"\. Check --database-url/,
  ],
  [
    'a name that nobody has',
    (url) => void (url.hostname = 'postgres.invalid'),
    /postgres\.invalid:\d+ cannot be reached: the host name (?:does not|cannot be) .*another host/,
  ],
])('a start with %s says so and what to do, as a check of the settings does', async (_, change, says) => {
  const url = new URL(database.url);
  url.hostname = 'localhost';
  change(url);
  const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl: url.href }, {});
  const warn = vi.spyOn(process, 'emitWarning');
  const refused = await openStorage(config, new Date()).catch((error: unknown) => error);
  const told: unknown = await databaseWarning(config).catch((error: unknown) => error);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  expect(refused).toBeInstanceOf(ConfigError);
  for (const said of [refused, told]) expect(String(said)).toMatch(says);
  expect(String(refused)).toContain('--database-url');
});

it.each<[string, string, RegExp]>([
  [
    'an authority that is no certificate',
    'sslrootcert=FOLDER/text',
    /: sslrootcert=.*text in .* is no certificate: /,
  ],
  [
    'a certificate that is none',
    'sslcert=FOLDER/text&sslkey=FOLDER/key',
    /: sslcert=.*text in .* is no certificate: /,
  ],
  ['a key that is none', 'sslcert=FOLDER/cert&sslkey=FOLDER/text', /: sslkey=.*text in .* is no private key/],
  [
    'the key of another certificate',
    'sslcert=FOLDER/cert&sslkey=FOLDER/other',
    /: sslkey=.*other in .* does not belong to the certificate of sslcert=.*cert in /,
  ],
  [
    'files that fit',
    'sslrootcert=FOLDER/cert&sslcert=FOLDER/cert&sslkey=FOLDER/key',
    /it does not speak TLS\./,
  ],
  ['a check that is off', 'sslmode=no-verify&sslrootcert=FOLDER/text', /it does not speak TLS\./],
])('a start with TLS and %s says so, as a check of the settings does', async (_, parameters, says) => {
  const [{ cert, key }, other] = [
    makeCertificate('localhost', [2020, 2100]),
    makeCertificate('localhost', [2020, 2100]),
  ];
  for (const [name, content] of Object.entries({ cert, key, other: other.key, text: 'no PEM' }))
    await writeFile(join(folder, name), content);
  const databaseUrl = `${database.url}?${parameters.replaceAll('FOLDER', folder)}`;
  const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl }, {});
  const refused = await openStorage(config, new Date()).catch((error: unknown) => error);
  const told: unknown = await databaseWarning(config).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  for (const said of [refused, told]) expect(String(said)).toMatch(says);
});

it.each<[string, string, RegExp]>([
  [
    'another authority',
    'other',
    /no authority in sslrootcert=.*other has signed its certificate\. Name the file/,
  ],
  ['its authority', 'cert', /the connection was cut off/],
])(
  'a start with %s for the certificate of PostgreSQL goes on only after it is trusted',
  async (_, file, says) => {
    const own = makeCertificate('localhost', [2020, 2100]);
    const { cert: other } = makeCertificate('localhost', [2020, 2100]);
    for (const [name, content] of Object.entries({ cert: own.cert, other }))
      await writeFile(join(folder, name), content);
    // Speaks TLS, and ends a connection that goes on after that.
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, ...own });
        secure.on('error', () => {}).once('data', () => secure.destroy());
      });
    }).listen(0, 'localhost');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const databaseUrl = `postgres://hub@localhost:${port}/hub?sslmode=require&sslrootcert=${join(folder, file)}`;
    const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl }, {});
    await expect(openStorage(config, new Date())).rejects.toThrow(says);
    expect(await databaseWarning(config)).toMatch(says);
  },
);

it('a start with a user who may not make tables says so', async () => {
  const store = openPostgres(database.url);
  const role = `reader_${database.name}`;
  await sql`create role ${sql.ref(role)} login password 'p@ss/#1'`.execute(store.read);
  const url = new URL(database.url);
  url.username = role;
  // Percent-encoded, as in every URL.
  url.password = encodeURIComponent('p@ss/#1');
  const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl: url.href }, {});
  await expect(openStorage(config, new Date())).rejects.toThrow(
    /permission denied.*the owner of the database/,
  );
  await sql`drop role ${sql.ref(role)}`.execute(store.read);
  await store.close();
});

it('a start with a port that closes every connection says so', async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const databaseUrl = `postgres://hub@127.0.0.1:${(other.address() as AddressInfo).port}/hub`;
  const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl }, {});
  await expect(openStorage(config, new Date())).rejects.toThrow(
    /cannot be reached: the connection was cut off\. Check/,
  );
});

it('a start without the password that a database asks for with SCRAM says so', async () => {
  const authentication = (code: number, text: string) => {
    const bytes = Buffer.alloc(9 + text.length);
    bytes.write('R');
    bytes.writeInt32BE(8 + text.length, 1);
    bytes.writeInt32BE(code, 5);
    bytes.write(text, 9);
    return bytes;
  };
  const other = createServer((socket) => {
    socket.once('data', () => {
      socket.write(authentication(10, 'SCRAM-SHA-256\0\0'));
      socket.once('data', () => void socket.write(authentication(11, 'r=x,s=QQ==,i=4096')));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const databaseUrl = `postgres://hub@127.0.0.1:${(other.address() as AddressInfo).port}/hub`;
  const config = parseServerConfig({ data: join(folder, 'a'), databaseUrl }, {});
  await expect(openStorage(config, new Date())).rejects.toThrow(
    /it asks for a password, and none is given\. Check the user and the password/,
  );
});

it.each([
  'postgres://hub@a.internal:5432,b.internal:5432/hub',
  'postgres://hub:p,w@a.internal,b.internal/hub?target_session_attrs=read-write',
  'postgres://hub@/hub?host=a.internal,b.internal',
])('a URL that names several servers is refused, with what to do instead: %s', (databaseUrl) => {
  expect(() => parseServerConfig({ data: folder, databaseUrl }, {})).toThrow(
    /--database-url must name one host: .* leads to the primary/,
  );
});

it.each([
  'postgres://hub:p,w@a.internal/hub',
  'postgres://hub:p,w@a.internal:5432/hub?sslmode=require',
  'postgres://h,b@a.internal',
])('a URL with a comma before its host names one server: %s', (databaseUrl) => {
  expect(parseServerConfig({ data: folder, databaseUrl }, {}).databaseUrl).toContain('@a.internal');
});
