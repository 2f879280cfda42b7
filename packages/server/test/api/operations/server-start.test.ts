import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CHEAP, onSqlite } from '../support/workspace.ts';
import { parseStartConfig } from '../../../src/backups/parse-start-config.ts';
import { bootstrap, setUserPassword } from '../../../src/start/bootstrap.ts';
import { ConfigError, parseServerConfig, type ServerFlags } from '../../../src/config/config.ts';
import { Fault } from '../../../src/domain/faults/fault.ts';
import { refuseUnusableDirectory } from '../../../src/data-directory/prepare-directory.ts';
import { type RunningServer, startServer } from '../../../src/server.ts';
import { makeCertificate } from '../../../src/outbound/certificate.fixture.ts';
import { Api } from '../support/api.ts';

const folders: string[] = [];
const running: RunningServer[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hubline-start-'));
  folders.push(path);
  return path;
}

function configOf(data: string, flags: ServerFlags = {}, env: Record<string, string> = {}) {
  return parseServerConfig({ port: 0, logLevel: 'silent', ...flags, data }, env);
}

async function start(
  data: string,
  flags: ServerFlags = {},
  env: Record<string, string> = {},
): Promise<RunningServer> {
  const server = await startServer(configOf(data, flags, env));
  running.push(server);
  return server;
}

const owner = { email: 'owner@example.com', name: 'Acme', slug: 'acme' };

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

const domain = { domain: 'hub.example.com' };

describe('the settings', () => {
  it.each<[ServerFlags, Record<string, string>, RegExp]>([
    [{ port: 65_536 }, {}, /^--port must be .*65535/],
    [{}, { HUBLINE_PORT: 'eighty' }, /^HUBLINE_PORT must be an integer from 0 to 65535/],
    [{}, { HUBLINE_PORT: '-1' }, /must be an integer from 0/],
    [{ senders: 'some' }, {}, /^--senders must be auto or an integer from 0 to 16/],
    [{}, { HUBLINE_SENDERS: '17' }, /^HUBLINE_SENDERS must be auto or an integer/],
    [{}, { HUBLINE_RATE_LIMIT: '0' }, /^HUBLINE_RATE_LIMIT must be .*, in requests per minute\.$/],
    [{ burst: 0 }, {}, /^--burst must be an integer from 1 to 1000000, in requests per second\.$/],
    [{ memoryBudget: 1 }, {}, /^--memory-budget must be an integer from 32 to 1000000, in MiB\.$/],
    [{ retainEventsDays: -1 }, {}, /^--retain-events-days must be .*, in days\.$/],
    [{ retainDeliveriesDays: -1 }, {}, /^--retain-deliveries-days must be .*, in days\.$/],
    [{ retainAuditDays: -1 }, {}, /^--retain-audit-days must be .*, in days\.$/],
    [{}, { HUBLINE_ALLOW_HTTP_LOCALHOST: 'maybe' }, /^HUBLINE_ALLOW_HTTP_LOCALHOST must be true or false/],
    [{}, { HUBLINE_LOG_FORMAT: 'xml' }, /^HUBLINE_LOG_FORMAT must be pretty or json/],
    [{}, { HUBLINE_MAIL_FROM: 'x' }, /^HUBLINE_MAIL_FROM must be an address, with a name if you like/],
    [{}, { HUBLINE_LOG_LEVEL: 'loud' }, /^HUBLINE_LOG_LEVEL must be/],
    [{}, { HUBLINE_DATABASE_URL: 'mysql://x' }, /^HUBLINE_DATABASE_URL .*postgres:\/\//],
    [{}, { HUBLINE_PUBLIC_URL: 'hub.example.com' }, /^HUBLINE_PUBLIC_URL .*https:\/\/hub\.example\.com/],
    [{}, { HUBLINE_MASTER_KEY: 'short' }, /^HUBLINE_MASTER_KEY .*32 bytes in base64/],
    [{}, { HUBLINE_CREDENTIAL_CHECK: 'maybe' }, /^HUBLINE_CREDENTIAL_CHECK .*strict or skip/],
    [{}, { HUBLINE_GITHUB_API_URL: 'github' }, /^HUBLINE_GITHUB_API_URL must be a URL/],
    [{ host: '' }, {}, /^--host must /],
    [{}, { HUBLINE_PUBLIC_URL: 'https://x.example?x=1' }, /^HUBLINE_PUBLIC_URL must have no user, \? or #/],
    [{ publicUrl: 'https://x.example/p#f' }, {}, /^--public-url must have no user, \? or #/],
    [{ publicUrl: 'https://user:pw@x.example' }, {}, /^--public-url .* have no user/],
    [
      {},
      { HUBLINE_GITHUB_API_URL: 'https://x.example/?a' },
      /^HUBLINE_GITHUB_API_URL .* without user, \? and #/,
    ],
    [{ tlsCert: 'x.pem' }, {}, /^--tls-cert needs --tls-key \(or HUBLINE_TLS_KEY\)/],
    [{}, { HUBLINE_TLS_KEY: 'x.pem' }, /^HUBLINE_TLS_KEY needs --tls-cert \(or HUBLINE_TLS_CERT\)/],
    [{ domain: '203.0.113.7' }, {}, /^--domain must be a name: there are no certificates .* address/],
    [{ domain: '[2001:db8::1]' }, {}, /^--domain must be a name/],
    [{}, { HUBLINE_DOMAIN: 'localhost' }, /^HUBLINE_DOMAIN .*: localhost is a different machine for each/],
    [{ domain: 'hub.localhost' }, {}, /^--domain .*: localhost is a different machine for each/],
    [{ domain: 'hub' }, {}, /^--domain must be one full name such as hub\.example\.com/],
    [{ domain: 'https://hub.example.com' }, {}, /^--domain .* without https:\/\//],
    [{ domain: 'hub.example.com:443' }, {}, /^--domain .* without https:\/\/, port/],
    [{ domain: '*.example.com' }, {}, /^--domain .* without https:\/\/, port, path or \*/],
    [{ ...domain, acmeEmail: 'me' }, {}, /^--acme-email must be an address/],
    [{ ...domain, acmeDirectory: 'http://ca.example.com' }, {}, /^--acme-directory must be the https:\/\//],
    [{ acmeEmail: 'me@example.com' }, {}, /^--acme-email needs --domain \(or HUBLINE_DOMAIN\)/],
    [{}, { HUBLINE_HTTPS_PORT: '8443' }, /^HUBLINE_HTTPS_PORT needs --domain/],
    [
      { ...domain, tlsCert: 'x', tlsKey: 'x' },
      {},
      /--domain gets a certificate automatically, and --tls-cert names one of yours/,
    ],
    [domain, { HUBLINE_BEHIND_PROXY: 'true' }, /--domain and HUBLINE_BEHIND_PROXY exclude each other/],
    [
      { ...domain, databaseUrl: 'postgres://db/hub' },
      {},
      /"Behind a reverse proxy" in the self-hosting guide/,
    ],
    [{ ...domain, port: 8787 }, {}, /^--port cannot be combined with --domain\. Use --https-port/],
    [domain, { HUBLINE_PORT: '8787' }, /^HUBLINE_PORT cannot be combined with --domain\./],
    [{ port: 1 }, { HUBLINE_DOMAIN: 'hub.example.com' }, /^--port cannot be combined with HUBLINE_DOMAIN\./],
    [{ ...domain, httpsPort: 8443, httpPort: 8443 }, {}, /--https-port and --http-port must differ, .* 8443/],
    [{ ...domain, publicUrl: 'https://www.example.com' }, {}, /--public-url must begin with https:\/\/hub\./],
    [{ ...domain, publicUrl: 'http://hub.example.com' }, {}, /--public-url must begin with https:\/\/ if/],
    [{ allowHttpLocalhost: true }, { NODE_ENV: 'production' }, /refused with NODE_ENV=production/],
  ])('that cannot be used are named, with the rule: %j %j', (flags, env, message) => {
    expect(() => parseServerConfig(flags, env)).toThrow(ConfigError);
    expect(() => parseServerConfig(flags, env)).toThrow(message);
  });

  it.each([
    ['postgres://hub:secret@/events?host=/run/postgresql', { host: '/run/postgresql', user: 'hub' }],
    ['postgres://hub@/events?port=5433&host=%2Frun%2Fpostgresql', { host: '/run/postgresql', port: 5433 }],
    ['postgres:///events?host=/run/postgresql', { host: '/run/postgresql' }],
    ['postgres://hub@db/events', { host: 'db', user: 'hub' }],
  ])('name a PostgreSQL database by a host or a socket: %s', (databaseUrl, expected) => {
    const { databaseUrl: connectionString = '' } = parseServerConfig({ databaseUrl }, {});
    expect(URL.canParse(connectionString)).toBe(true);
    expect(new pg.Client({ connectionString })).toMatchObject({ ...expected, database: 'events' });
  });

  it('come from flags first, then from the environment, then from the defaults', () => {
    const env = {
      HUBLINE_PORT: '1234',
      HUBLINE_RATE_LIMIT: '5',
      HUBLINE_ALLOW_HTTP_LOCALHOST: '1',
      HUBLINE_BURST: '',
    };
    expect(parseServerConfig({ port: 4321 }, env)).toMatchObject({
      port: 4321,
      rateLimit: 5,
      allowHttpLocalhost: true,
      burst: undefined,
      host: '127.0.0.1',
    });
  });

  it('that the environment turns on can be turned off by a flag', () => {
    const env = {
      HUBLINE_BURST: '5',
      HUBLINE_BACKUP_EVERY: '24h',
      HUBLINE_BACKUP_TO: '/mnt/hubline-backups',
    };
    expect(parseStartConfig({ burst: 'off', backupEvery: 'off' }, env)).toMatchObject({
      burst: undefined,
      backupEvery: undefined,
      backupTo: '/mnt/hubline-backups',
    });
    expect(() => parseStartConfig({}, { ...env, HUBLINE_BACKUP_EVERY: '' })).toThrow('needs --backup-every');
  });

  it('follow from a domain: its URL, and every address to listen on', () => {
    expect(parseServerConfig({ domain: 'Hub.Example.com.' }, {})).toMatchObject({
      domain: 'hub.example.com',
      publicUrl: 'https://hub.example.com',
      host: '::',
      httpsPort: 443,
      httpPort: 80,
      acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
    });
    expect(parseServerConfig({ domain: 'bücher.example', host: '192.0.2.1' }, {})).toMatchObject({
      domain: 'xn--bcher-kva.example',
      host: '192.0.2.1',
    });
    const forwarded = { domain: 'hub.example.com', publicUrl: 'https://hub.example.com:8443' };
    expect(parseServerConfig(forwarded, {})).toMatchObject(forwarded);
  });

  it('name files that can be read', async () => {
    const data = folder();
    const missing = { tlsCert: join(data, 'no.pem'), tlsKey: join(data, 'no.key') };
    await expect(startServer(configOf(data, missing))).rejects.toThrow(
      /^--tls-cert \S+no\.pem cannot be read: no such file or directory\./,
    );
    const { cert, key } = makeCertificate('localhost', [2020, 2099]);
    const pem = (type: string, text: string) => `-----BEGIN ${type}-----\n${text}\n-----END ${type}-----\n`;
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    const CERT = /^--tls-cert \S+cert\.pem has no certificate in PEM form.*openssl x509 -in/;
    const KEY = /^--tls-key \S+key\.pem has no private key in PEM form.*openssl pkey -in/;
    for (const [tlsCert, tlsKey, message] of [
      ['', key, CERT],
      [key, cert, CERT],
      [Buffer.from([0x30, 0x82]), key, CERT],
      [cert, 'not a key', KEY],
      [pem('CERTIFICATE', 'AAAA'), key, /^--tls-cert \S+cert\.pem has a damaged certificate\./],
      [cert, pem('PRIVATE KEY', 'AAAA'), /^--tls-key \S+key\.pem has a damaged private key\./],
      [cert, locked, /^--tls-key \S+key\.pem is encrypted, .* openssl pkey -in/],
      [
        makeCertificate('localhost', [2020, 2099]).cert,
        key,
        /^--tls-key .* is not the key of .* in --tls-cert/,
      ],
    ] as const) {
      writeFileSync(join(data, 'cert.pem'), tlsCert);
      writeFileSync(join(data, 'key.pem'), tlsKey);
      const files = { tlsCert: join(data, 'cert.pem'), tlsKey: join(data, 'key.pem') };
      const refused = await startServer(configOf(data, files)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ConfigError);
      expect(refused).toHaveProperty('message', expect.stringMatching(message));
      expect(refused).not.toHaveProperty('message', expect.stringContaining('error:'));
    }
    // After any failure, the data directory is free again.
    await start(data);
  });

  it('name a port that is free and a host that is here', async () => {
    const first = await start(folder());
    const port = Number(new URL(first.url).port);
    const data = folder();
    await expect(startServer(configOf(data, { port }))).rejects.toThrow(/--port \d+ is in use/);
    const fromEnv = configOf(data, { port: undefined }, { HUBLINE_PORT: String(port) });
    await expect(startServer(fromEnv)).rejects.toThrow(/^HUBLINE_PORT \d+ is in use/);
    await expect(startServer(configOf(data, { host: '192.0.2.77' }))).rejects.toThrow(/--host/);
    await start(data);
  });
});

it('a server has a URL that responds, with IPv6 or without', async () => {
  const server = await start(folder(), { host: '::' });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
});

describe('the data directory', () => {
  it('is for its owner only, with its master key and its database', async () => {
    const data = join(folder(), 'deep', 'er');
    await start(data);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const stored = onSqlite ? ['hubline.db', 'hubline.db-wal', 'hubline.db-shm', 'server.lock'] : [];
    for (const file of ['master.key', ...stored])
      expect(`${file} ${(statSync(join(data, file)).mode & 0o777).toString(8)}`).toBe(`${file} 600`);
  });

  it('keeps its mode where it exists', async () => {
    const data = folder();
    chmodSync(data, 0o1777);
    await start(data);
    expect(statSync(data).mode & 0o7777).toBe(0o1777);
    expect(statSync(join(data, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.getuid?.() === 0)('is not one that everybody shares', async () => {
    const data = folder();
    chmodSync(data, 0o1777);
    writeFileSync(join(data, 'note.txt'), 'mine');
    chownSync(join(data, 'note.txt'), 65_534, 65_534);
    const refusal =
      /^Everybody may write to .*, and note\.txt in it belongs to another user\. Name .*\/hubline\.$/;
    await expect(startServer(configOf(data))).rejects.toThrow(refusal);
    expect(() => refuseUnusableDirectory(data)).toThrow(refusal);
    expect(readdirSync(data)).toEqual(['note.txt']);
  });

  it('belongs to one server at a time', async () => {
    const data = folder();
    const first = await start(data);
    await expect(startServer(configOf(data))).rejects.toThrow(/Another server is using/);
    await first.stop();
    await start(data);
  });

  it('leaves no monitor of the event loop running when its start is refused', async () => {
    const data = folder();
    await start(data);
    const monitor: ReturnType<typeof monitorEventLoopDelay> = Object.getPrototypeOf(monitorEventLoopDelay());
    const [enabled, disabled] = [vi.spyOn(monitor, 'enable'), vi.spyOn(monitor, 'disable')];
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(startServer(configOf(data))).rejects.toThrow(/Another server is using/);
    expect([enabled.mock.calls.length, disabled.mock.calls.length]).toEqual([1, 1]);
  });

  it('can be bootstrapped while its server runs', async () => {
    const data = folder();
    const server = await start(data);
    const { api_key, workspace_id } = await bootstrap(configOf(data), owner);
    const api = new Api(server.baseUrl, api_key);
    expect((await api.call('workspaces.list')).data.map(({ id }) => id)).toEqual([workspace_id]);
  });
});

describe('the master key', () => {
  it('of a database is needed, and it must be the right one', async () => {
    const data = folder();
    await bootstrap(configOf(data), owner);
    const file = join(data, 'master.key');
    const key = readFileSync(file, 'utf8');
    rmSync(file);
    await expect(startServer(configOf(data))).rejects.toThrow(/needs its master key, but there is none/);
    const other = Buffer.alloc(32, 7).toString('base64');
    await expect(startServer(configOf(data, {}, { HUBLINE_MASTER_KEY: other }))).rejects.toThrow(
      /is not the master key of/,
    );
    await expect(bootstrap(configOf(data, {}, { HUBLINE_MASTER_KEY: other }), owner)).rejects.toThrow(
      /is not the master key of/,
    );
    for (const damaged of ['', 'short', key.slice(0, 20)]) {
      writeFileSync(file, damaged);
      await expect(startServer(configOf(data))).rejects.toThrow(
        /must hold one key per line, each of 32 bytes in base64\. Put back your copy of it/,
      );
    }
    rmSync(file);
    await (await start(data, {}, { HUBLINE_MASTER_KEY: key.trim() })).stop();
    writeFileSync(file, key);
    await start(data);
  });
});

describe('bootstrap', () => {
  it('makes one owner, and later only further keys for users who exist', async () => {
    const data = folder();
    const first = await bootstrap(configOf(data), owner);
    expect(first.api_key).toMatch(/^hl_/);
    await expect(bootstrap(configOf(data), owner)).rejects.toThrow(/There is already a user/);
    await expect(bootstrap(configOf(data), { email: 'other@example.com', newKey: true })).rejects.toThrow(
      Fault,
    );
    const second = await bootstrap(configOf(data), { email: ' OWNER@example.com ', newKey: true });
    expect(second).toMatchObject({ user_id: first.user_id, workspace_id: null });
    const server = await start(data);
    for (const key of [first.api_key, second.api_key])
      expect((await new Api(server.baseUrl, key).call('me.get')).user.email).toBe('owner@example.com');
  });

  it('refuses bad input and leaves nothing behind', async () => {
    const data = folder();
    const bad = [
      { ...owner, email: 'nobody' },
      { ...owner, slug: 'No' },
      { ...owner, name: '' },
      { email: owner.email, name: 'Only a name' },
      { email: owner.email, slug: 'only-a-slug' },
    ];
    for (const options of bad) await expect(bootstrap(configOf(data), options)).rejects.toThrow(ConfigError);
    await bootstrap(configOf(data), owner);
  });
});

describe('HTTPS', () => {
  const elsewhere = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  it.skipIf(elsewhere === undefined)('is required of every caller that is not on this machine', async () => {
    const data = folder();
    const { api_key } = await bootstrap(configOf(data), owner);
    const server = await start(data, { host: '0.0.0.0' });
    const { port } = new URL(server.url);
    const remote = new Api(`http://${elsewhere}:${port}/v1`, api_key);
    for (const headers of [{}, { 'X-Forwarded-Proto': 'https' }, { Forwarded: 'proto=https' }]) {
      const { message, headers: received } = await remote.refused('me.get', 400, { headers });
      expect(message).toMatch(/HTTPS/);
      expect(received.get('location')).toBeNull();
    }
    await new Api(server.baseUrl, api_key).call('me.get');
  });

  it('is what a trusted proxy says it was, and not what an untrusted caller says', async () => {
    const data = folder();
    const { api_key } = await bootstrap(configOf(data), owner);
    const proxied = await start(data, { behindProxy: true });
    const behind = new Api(proxied.baseUrl, api_key);
    await behind.call('me.get', { headers: { 'X-Forwarded-Proto': 'https' } });
    await behind.refused('me.get', 400, { headers: { 'X-Forwarded-Proto': 'http' } });
    await behind.refused('me.get', 400, { headers: { 'X-Forwarded-Proto': '' } });
    await behind.call('me.get');
    await proxied.stop();
    const direct = new Api((await start(data)).baseUrl, api_key);
    await direct.call('me.get', { headers: { 'X-Forwarded-Proto': 'http' } });
  });

  it('is served by the server itself with a certificate', async () => {
    const data = folder();
    const { api_key } = await bootstrap(configOf(data), owner);
    const { email } = owner;
    const password = 'correct horse battery staple';
    await setUserPassword(configOf(data), { email, password }, CHEAP);
    const certificate = makeCertificate('localhost', [2020, 2099]);
    writeFileSync(join(data, 'cert.pem'), certificate.cert);
    writeFileSync(join(data, 'key.pem'), certificate.key);
    const server = await start(data, { tlsCert: join(data, 'cert.pem'), tlsKey: join(data, 'key.pem') });
    expect(server.url).toMatch(/^https:\/\//);
    const send = async (path: string, options: RequestOptions, body?: string) => {
      const trusted = { ca: certificate.cert, servername: 'localhost', ...options };
      const request = httpsRequest(server.url + path, trusted).end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response;
    };
    const me = await send('/v1/me', { headers: { Authorization: `Bearer ${api_key}` } });
    expect(me.statusCode).toBe(200);
    const page = { 'X-Hubline-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };
    const headers = { ...page, 'Content-Type': 'application/json' };
    const login = await send('/session', { method: 'POST', headers }, JSON.stringify({ email, password }));
    // Without the port, another server on this host would end the session.
    const [cookie] = login.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(new RegExp(`^__Host-hubline_session_${new URL(server.url).port}=.+; Secure$`));
    await expect(fetch(server.baseUrl.replace('https:', 'http:'))).rejects.toThrow();
  });
});

it('a server can be stopped twice, and stops after it has responded to the request that had begun', async () => {
  const data = folder();
  const { api_key } = await bootstrap(configOf(data), owner);
  const server = await start(data);
  const body = JSON.stringify({ name: 'Begun', slug: 'begun' });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    `POST /v1/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api_key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const chunks = socket[Symbol.asyncIterator]();
  const first = await chunks.next();
  expect(String(first.value)).toMatch(/^HTTP\/1\.1 100 /);
  const stopped = Promise.all([server.stop(), server.stop()]);
  socket.write(body);
  const second = await chunks.next();
  expect(String(second.value)).toMatch(/^HTTP\/1\.1 201 /);
  await stopped;
  await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
  const again = new Api((await start(data)).baseUrl, api_key);
  expect((await again.call('workspaces.list')).data.map(({ slug }) => slug)).toContain('begun');
});
