import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as listener, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { expectSentence } from '../../test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { startS3 } from '../../test/s3.ts';
import { serve } from '../../test/serve.ts';
import { PATIENT, spawnCli } from '../../../test/support/spawn-cli.ts';

/** A manifest names a master key by the beginning of its fingerprint. */
const KEY_ID_CHARACTERS = 8;

interface Listed {
  readonly path: string;
  readonly verified: boolean;
}

it('a server backs itself up into S3, in parts; the backups are listed, verified and restored from there', async () => {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const env = {
    ...(await startS3('acme')),
    HUBLINE_BACKUP_TO: 's3://acme/hub line',
    HUBLINE_BACKUP_KEEP: '1',
  };
  const storage = [`--data=${data}`];
  const owner = ['server', 'bootstrap', ...storage, '--email=ana@acme.test', '--yes'];
  expect(await runCli(owner)).toMatchObject({ code: 0 });
  // Makes the backup larger than one part.
  const database = new DatabaseSync(join(data, 'hubline.db'));
  database.exec(`insert into meta (key, value) values ('ballast', hex(randomblob(4500000)))`);
  database.close();
  const list = async (more: Record<string, string> = {}): Promise<Listed[]> => {
    const { code, out, err } = await runCli(['backup', 'list', ...storage, '--json'], {
      env: { ...env, ...more },
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    return JSON.parse(out) as Listed[];
  };
  const backUp = async (isDone: (paths: readonly string[]) => boolean): Promise<string> => {
    const server = await serve(['--backup-every=24h'], { data, env });
    const paths = async () => (await list()).map(({ path }) => path);
    await vi.waitUntil(async () => isDone(await paths()), PATIENT);
    await server.stop();
    const [path = ''] = await paths();
    return path;
  };

  const first = await backUp(({ length }) => length === 1);
  expect(first).toMatch(/^s3:\/\/acme\/hub line\/hubline-[0-9a-f]{6}-\d{8}T\d{9}Z\.db$/);
  expect(await list()).toMatchObject([{ verified: true }]);
  // The local copy is gone.
  expect(await readdir(join(data, 'backups', 'upload'))).toEqual([]);

  // A job that is retried while the server is stopped is due at its next start.
  const jobs = await runCli(['server', 'jobs', ...storage, '--kind=backup', '-q']);
  expect(await runCli(['server', 'retry-job', jobs.out.trim(), ...storage])).toMatchObject({ code: 0 });
  // The older backup is removed after the new one is complete; a stop in between would leave that to the next backup.
  const second = await backUp((paths) => paths.length === 1 && paths[0] !== first);

  const verify = (named: string, directory = data) =>
    runCli(['backup', 'verify', named, `--data=${directory}`, '--json=path,key_fits'], { env });
  // Neither prints the path of the copy that is read.
  for (const named of [second, 'latest'])
    expect(await verify(named)).toMatchObject({
      code: 0,
      out: `${JSON.stringify({ path: second, key_fits: true })}\n`,
    });
  expect(await verify('hubline-000000-20200101T000000000Z.db')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no complete backup'),
  });

  const other = join(root, 'other');
  await mkdir(other);
  await copyFile(join(data, 'master.key'), join(other, 'master.key'));
  const restore = ['backup', 'restore', 'latest', `--data=${other}`, `--confirm=${other}`];
  expect(await runCli([...restore, '--dry-run'], { env })).toMatchObject({ code: 0 });
  expect(await readdir(other)).toEqual(['master.key']);
  expect(await runCli(restore, { env })).toMatchObject({ code: 0 });
  expect((await readdir(other)).toSorted()).toEqual(['hubline.db', 'master.key', 'server.lock']);
  const restored = await runCli(['server', 'bootstrap', `--data=${other}`, '--email=bo@acme.test']);
  expect(restored).toMatchObject({ code: 5 });

  const wrongKey = await runCli(['backup', 'list', ...storage], {
    env: { ...env, AWS_SECRET_ACCESS_KEY: 'x' },
  });
  expect(wrongKey).toMatchObject({ code: 2, err: expect.stringContaining('403 SignatureDoesNotMatch') });

  const noBucket = await runCli(['backup', 'list', ...storage, '--backup-to=s3://acne'], { env });
  expect(noBucket).toMatchObject({ code: 2, err: expect.stringContaining('There is no bucket acne at 127') });

  for (const [url, reason] of [
    ['http://127.0.0.1:2', 'nothing listens there\\.'],
    ['http://s3.invalid', 'the host name (?:does not resolve|cannot be resolved, .*)\\.'],
  ]) {
    const gone = await runCli(['backup', 'list', ...storage], {
      env: { ...env, AWS_ENDPOINT_URL_S3: url ?? '' },
    });
    expectSentence(gone);
    expect(gone.err).toMatch(
      new RegExp(`^Error: ${url} cannot be reached for s3://.*: ${reason} Check .*AWS_ENDPOINT_URL_S3`),
    );
  }
});

it('a backup that fails is logged as one sentence that names the place and the cure', async () => {
  const data = join(await temporaryDirectory(), 'data');
  const to = join(data, 'not-mounted');
  const line = ['server', 'start', '--port=0', `--data=${data}`, '--backup-every=24h', `--backup-to=${to}`];
  const { child, read, ended } = spawnCli([...line, '--log-format=json']);
  await vi.waitUntil(() => read.err.includes('a job failed') || child.exitCode !== null, PATIENT);
  child.kill('SIGTERM');
  const { err } = await ended;
  const entry = err.split('\n').find((each) => each.includes('a job failed')) ?? '{}';
  expect(JSON.parse(entry)).toEqual({
    level: 40,
    time: expect.any(String),
    job_id: expect.any(Number),
    kind: 'backup',
    attempt: 1,
    reason: `There is no directory ${to}. Mount its disk, or create it: it must exist before a backup.`,
    msg: 'a job failed',
  });
});

it('a bucket of the same name in other storage is a new place: the first backup there is made at once', async () => {
  const data = join(await temporaryDirectory(), 'data');
  for (const storage of [await startS3('acme'), await startS3('acme')]) {
    const env = { ...storage, HUBLINE_BACKUP_TO: 's3://acme/hub' };
    const server = await serve(['--backup-every=24h'], { data, env });
    await vi.waitUntil(async () => {
      const { out } = await runCli(['backup', 'list', `--data=${data}`, '--json'], { env });
      return (JSON.parse(out) as Listed[]).length === 1;
    }, PATIENT);
    await server.stop();
  }
});

it('a backup that its storage does not list has failed: no restore would find it', async () => {
  const stored = new Map<string, number>();
  const storage = createServer((request, response) => {
    const { method = '', url = '' } = request;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      if (method === 'PUT') stored.set(url, bytes);
      if (method === 'DELETE') stored.delete(url);
      if (method === 'HEAD') response.setHeader('Content-Length', stored.get(url) ?? 0);
      response.end(method === 'GET' ? '<ListBucketResult></ListBucketResult>' : undefined);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void storage.close());
  await once(storage, 'listening');
  const env = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    HUBLINE_BACKUP_TO: 's3://acme//hub',
  };
  const server = await serve(['--backup-every=24h'], { env });
  const jobs = ['server', 'jobs', `--data=${server.data}`, '--kind=backup', '--json=last_error'];
  let out = '';
  await vi.waitUntil(async () => {
    ({ out } = await runCli(jobs));
    return !out.includes('"last_error":null') && out.includes('last_error');
  }, PATIENT);
  expect(out).toContain('does not list it, so a restore would not find it');
  await server.stop();
  expect([...stored.keys()]).toEqual([]);
});

it('a storage that does not respond is reported, and does not delay the stop of a server', async () => {
  const sockets = new Set<Socket>();
  const storage = listener((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    storage.close();
  });
  await once(storage, 'listening');
  const url = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
  const env = {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    HUBLINE_BACKUP_TO: 's3://acme',
  };
  const server = await serve(['--backup-every=24h'], { env });
  await vi.waitUntil(() => sockets.size > 0, PATIENT);
  expect(await server.stop()).toMatchObject({ code: 0 });
  await vi.waitUntil(() => sockets.size === 0, PATIENT);

  // The twenty seconds of the limit are over in a moment here. A garbage collection during that time once lost the limit.
  const limits: number[] = [];
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    return timeout.call(AbortSignal, 300);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  let ended = false;
  const listed = runCli(['backup', 'list', `--data=${server.data}`], { env, tty: true }).finally(
    () => (ended = true),
  );
  // On a busy machine the limit may be over before anybody sees the connection.
  await vi.waitUntil(() => ended || sockets.size > 0, PATIENT);
  collectGarbage();
  const { code, out, err } = await listed;
  expect({ code, out, limits }).toEqual({ code: 2, out: '', limits: [20_000] });
  expect(err).toContain('looking in s3://acme …');
  expect(err.replaceAll('\n', ' ')).toContain(
    `${url} cannot be reached for s3://acme/: no response came in time`,
  );
});

it('a web page in place of a storage does not count as a storage without backups', async () => {
  const page = createServer((_, response) =>
    response.end('<html><body>Welcome to the console</body></html>'),
  );
  await once(page.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void page.close());
  const env = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(page.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const listed = await runCli(['backup', 'list', '--backup-to=s3://acme/hub'], { env });
  expect(listed).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('the endpoint does not respond like S3'),
  });
});

it('a backup that is removed while the list is read is not in it', async () => {
  const name = 'hubline-000000-20260101T000000000Z.db.json';
  const data = join(await temporaryDirectory(), 'data');
  const directory = await temporaryDirectory();
  // Listed, but not there anymore.
  await symlink(join(directory, 'gone'), join(directory, name));
  const storage = createServer(({ url = '' }, response) => {
    if (url.startsWith('/acme?'))
      return response.end(`<ListBucketResult><Contents><Key>${name}</Key></Contents></ListBucketResult>`);
    return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void storage.close());
  await once(storage, 'listening');
  const { port } = storage.address() as AddressInfo;
  const env = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  for (const place of [directory, 's3://acme']) {
    const line = ['backup', 'list', `--data=${data}`, `--backup-to=${place}`, '--json'];
    expect(await runCli(line, { env })).toMatchObject({ code: 0, out: '[]\n' });
  }
});

it.each([
  [['--backup-every=soon', '--backup-to=/x'], '--backup-every must be a period'],
  [['--backup-every=24h'], '--backup-every needs --backup-to (or HUBLINE_BACKUP_TO)'],
  [['--backup-every=24h', '--backup-to=/x', '--database-url=postgres://db/x'], 'pg_dump'],
  [['--backup-every=24h', '--backup-to=s3://acme'], '--backup-to s3://acme needs AWS_ACCESS_KEY_ID'],
  [['--backup-every=24h', '--backup-to=s3://A'], '--backup-to s3://A must name a bucket'],
  [['--backup-every=24h', '--backup-to=s3:/acme/x'], 'neither a directory nor s3://bucket/prefix'],
  [
    ['--backup-every=24h', '--backup-to=/'],
    '--backup-to / is a system directory. Name a directory for backups',
  ],
  [['--backup-every=24h', '--backup-to=/etc/x'], '--backup-to /etc/x is a system directory.'],
  [['--backup-every=24h', '--backup-to=/dev/shm/x'], '--backup-to /dev/shm/x is a system directory.'],
  [['--backup-every=24h', '--backup-to=~/x'], '--backup-to must be a full path'],
  [['--backup-every=24h', '--backup-to=DATA'], 'is the data directory'],
  [['--backup-every=24h', '--backup-to=DATA-link'], 'data-link is the data directory'],
  [['--backup-to=/x'], '--backup-to needs --backup-every (or HUBLINE_BACKUP_EVERY)'],
  [['--backup-keep=30'], '--backup-keep needs --backup-every'],
  [['--backup-keep=30', '--database-url=postgres://db/x'], 'pg_dump'],
  [['--backup-every=24h', '--backup-to=ftp://host/x'], 'neither a directory nor s3://bucket/prefix'],
  [['--backup-every=24h', '--backup-to=file:///x'], 'neither a directory nor s3://bucket/prefix'],
  [['--backup-every=24h', '--backup-to=S3://acme/x'], 'neither a directory nor s3://bucket/prefix'],
  [['--backup-every=24h', '--backup-to=s3://'], 'must name a bucket'],
  [['--backup-every=24h', '--backup-to=s3://b'], '"b" is too short'],
  [['--backup-every=24h', '--backup-to=s3://acme/../b'], 'must not have "." or ".." in its prefix'],
  [['--backup-every=24h', '--backup-to=s3://acme/a/.'], 'must not have "." or ".." in its prefix'],
  [['--backup-keep=0'], 'must be an integer from 1'],
])('refuses settings that make no backups: %j', async (flags, reason) => {
  const data = join(await temporaryDirectory(), 'data');
  await mkdir(data);
  await symlink(data, `${data}-link`);
  const line = flags.map((flag) => flag.replace('DATA', data));
  for (const command of ['start', 'check-config']) {
    const { code, out, err } = await runCli(['server', command, '--port=0', `--data=${data}`, ...line]);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(reason) });
  }
});

it.each([
  'garbage',
  'ftp://storage.example',
  'http://u:hunter2@storage.example',
  'http://storage.example?x=hunter2',
])('refuses %s for the storage, without showing it', async (url) => {
  const env = { AWS_ENDPOINT_URL_S3: url, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  for (const line of [
    ['server', 'check-config', '--port=0', '--backup-every=24h'],
    ['backup', 'list'],
  ]) {
    const refused = await runCli([...line, '--data=/none', '--backup-to=s3://acme'], { env });
    expectSentence(refused);
    expect(refused.err).toContain('AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) must be a URL such as');
    expect(refused.err).not.toContain('hunter2');
  }
});

/** A directory with two backups of one database, the older one good. */
async function twoBackups() {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const to = join(root, 'backups');
  await mkdir(to);
  const owner = ['server', 'bootstrap', `--data=${data}`, '--email=ana@acme.test', '--yes'];
  expect(await runCli(owner)).toMatchObject({ code: 0 });
  const copy = join(root, 'copy.db');
  expect(await runCli(['server', 'backup', copy, `--data=${data}`])).toMatchObject({ code: 0 });
  const bytes = await readFile(copy);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const database = new DatabaseSync(copy, { readOnly: true });
  const fingerprint = database.prepare(`select value from meta where key = 'master_key_fingerprint'`).get();
  database.close();
  const own = String(fingerprint?.['value']).slice(0, KEY_ID_CHARACTERS);
  const put = async (day: string, key = own): Promise<string> => {
    const file = join(to, `hubline-0123ab-${day.replaceAll('-', '')}T000000000Z.db`);
    const facts = { bytes: bytes.length, sha256, schema: '1', key_id: key, rows: {} };
    await writeFile(file, bytes);
    await writeFile(`${file}.json`, JSON.stringify({ ...facts, taken_at: `${day}T00:00:00.000Z` }));
    return file;
  };
  const [older, newer] = [await put('2026-01-01'), await put('2026-01-02')];
  const run = (command: string, ...line: string[]) =>
    runCli(['backup', command, ...line, `--data=${data}`, `--backup-to=${to}`, '--json=path,key_fits']);
  return { data, older, newer, bytes, put, run };
}

it('a backup that was changed is refused with exit code 9', async () => {
  const { newer, bytes, run } = await twoBackups();
  expect(await run('verify', newer)).toMatchObject({ code: 0 });
  bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
  await writeFile(newer, bytes);
  for (const named of [newer, basename(newer), 'latest']) {
    const { code, out, err } = await run('verify', named);
    expect({ code, out }).toEqual({ code: 9, out: '' });
    expect(err).toContain(`${newer} is damaged: it is not what was written.`);
    expect(err).not.toContain('--help');
  }
});

it.each([
  ['cut off', ''],
  ['without a whole manifest', '.json'],
])('reports the newest backup if it is %s, and takes the one before', async (_, suffix) => {
  const { older, newer, run } = await twoBackups();
  await truncate(`${newer}${suffix}`, 20);
  const warning = `Warning: ${newer} is damaged and was skipped: its size or its manifest is not what was written.\n`;
  const list = await run('list');
  expect(list).toMatchObject({ code: 0, err: warning });
  expect(list.out).toContain(older);
  expect(list.out).not.toContain(newer);
  const latest = await run('verify', 'latest');
  expect(latest).toMatchObject({ code: 0, err: warning, out: expect.stringContaining(older) });
  expect(await run('verify', basename(newer))).toMatchObject({
    code: 9,
    err: expect.stringContaining(`${newer} is damaged`),
  });
});

it('a backup that is dated in the future counts as the oldest, with a warning', async () => {
  const { older, newer, put, run } = await twoBackups();
  const ahead = await put('2099-01-01');
  const warning = `Warning: ${ahead} is dated in the future, so it counts as the oldest. Either the clock was wrong`;
  const list = await run('list');
  expect(list).toMatchObject({ code: 0, err: expect.stringContaining(warning) });
  const paths = (JSON.parse(list.out) as Listed[]).map(({ path }) => path);
  expect(paths.slice(0, 3)).toEqual([newer, older, ahead]);
  expect(await run('verify', 'latest')).toMatchObject({
    code: 0,
    err: expect.stringContaining(warning),
    out: expect.stringContaining(newer),
  });
});

it('of the backups of two servers in one place, the latest is one that the master key opens', async () => {
  const { data, newer, put, run } = await twoBackups();
  const foreign = await put('2026-01-03', '0123456789ab');
  const list = await run('list');
  expect(JSON.parse(list.out)).toEqual(
    expect.arrayContaining([
      { path: foreign, key_fits: false },
      { path: newer, key_fits: true },
    ]),
  );
  expect(list.err).toBe(
    `1 backup is from another server, or made with a lost key: no master key in ${data} opens it.\n`,
  );
  expect(await run('verify', 'latest')).toMatchObject({ code: 0, out: expect.stringContaining(newer) });
  // The server's own backups are from before the key was replaced, and still come before those of others.
  await rename(join(data, 'master.key'), join(data, 'master.key.retired'));
  await writeFile(join(data, 'master.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  expect((await run('list')).err).toContain(
    '2 backups were made before the master key was replaced. Their key is in',
  );
  expect(await run('verify', 'latest')).toMatchObject({
    code: 9,
    err: expect.stringContaining(`${newer} was made before the master key was replaced`),
  });
});
