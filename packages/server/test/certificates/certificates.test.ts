import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, it } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { until } from '../api/support/until.ts';
import { DOMAIN, startDomain } from './start-domain.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Waits until that many certificates were issued and the newest is served. Returns its fingerprint. */
function serving({ authority, served }: Pick<Domain, 'authority' | 'served'>, count = 1): Promise<string> {
  return until('the newest certificate', async () => {
    const shown = await served();
    const { issued } = authority;
    return shown !== null && issued.length === count && shown === issued.at(-1) && shown;
  });
}

type Domain = Awaited<ReturnType<typeof startDomain>>;

/** Every file below a folder, with its mode. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = ['', ...(await readdir(folder, { recursive: true }))];
  const modes = names.map(async (name) => [
    name,
    ((await stat(join(folder, name))).mode & 0o777).toString(8),
  ]);
  return Object.fromEntries(await Promise.all(modes)) as Record<string, string>;
}

it('gets a certificate at its first start, and serves pages and the API with it', async () => {
  const domain = await startDomain({
    flags: { acmeEmail: 'ops@example.com' },
    prepare: (authority) => (authority.behavior = { badNonces: 2 }),
  });
  const { authority, data, apiKey, ask, plain, certificate, metrics } = domain;
  await serving(domain);
  expect(authority.checked).toEqual(['tls-alpn-01']);
  expect(authority.accounts).toEqual([expect.objectContaining({ contact: ['mailto:ops@example.com'] })]);

  // The client checks the certificate, with the authority's root and for the name of the domain.
  const live = await ask('/livez');
  expect(live).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
  const { text } = await ask('/v1/openapi.json');
  expect(text).toContain(`"https://${DOMAIN}/v1"`);

  const page = await plain('/setup?token=x%20y', { method: 'POST', body: 'a=b' });
  expect([page.status, page.headers.get('location')]).toEqual([308, `https://${DOMAIN}/setup?token=x%20y`]);
  expect(page.headers.get('strict-transport-security')).toBeNull();
  // There is no redirect to another host, and none for a key that was sent unencrypted.
  expect((await plain('//evil.example/')).status).toBe(400);
  const api = await plain('/v1/me', { headers: { Authorization: `Bearer ${apiKey}` } });
  expect([api.status, api.headers.get('location')]).toEqual([400, null]);
  expect(await api.json()).toMatchObject({ error: { code: 'invalid_request', message: /HTTPS only/ } });
  expect((await plain('/.well-known/acme-challenge/unknown')).status).toBe(308);

  const known = await certificate();
  expect(known).toMatchObject({
    domain: DOMAIN,
    authority: new URL(authority.directory).host,
    last_error: null,
  });
  const [end, renewal] = [known?.expires_at, known?.renews_at].map((time) => Date.parse(time ?? '') / 1_000);
  expect(known?.next_try_at).toBe(known?.renews_at);
  expect(await metrics()).toEqual({
    expiry_timestamp_seconds: end,
    renewal_timestamp_seconds: renewal,
    failures_total: 0,
  });

  const modes = await filesOf(join(data, 'certificates'));
  const [folder = ''] = Object.keys(modes).filter((name) => name.startsWith('localhost'));
  expect(modes).toEqual({
    '': '700',
    [folder]: '700',
    [`${folder}/account.pem`]: '600',
    [`${folder}/${DOMAIN}.pem`]: '600',
  });
});

it('keeps sessions in a cookie that browsers send only to this host, and only over HTTPS', async () => {
  const domain = await startDomain();
  await serving(domain);
  const { server, ask } = domain;
  expect(server.setupUrl).toBeNull();
  const invited = await ask(`/v1/workspaces/${domain.workspaceId}/members`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${domain.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'li@example.com', role: 'member' }),
  });
  const { invite_url: link } = JSON.parse(invited.text) as { invite_url: string };
  expect(link).toMatch(/^https:\/\/hub\.example\.com\/invite\?token=/);
  const { search } = new URL(link);
  const accepted = await ask(`/invite${search}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: `${search.slice(1)}&password=correct-horse-battery`,
  });
  expect(String(accepted.headers['set-cookie'])).toMatch(/^__Host-hubline_session=.*; Secure$/);
});

it('renews the certificate after two thirds of its life, and open connections continue', async () => {
  const domain = await startDomain();
  const { authority, clock, apiKey, workspaceId, tls, certificate } = domain;
  const first = await serving(domain);

  const kept = connect({ ...tls, ALPNProtocols: ['http/1.1'] });
  const received: string[] = [];
  kept.setEncoding('utf8').on('data', (chunk: string) => received.push(chunk));
  const ask = () => kept.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  ask();
  await until('the first response', () => received.join('').includes('200 OK'));
  const Authorization = `Bearer ${apiKey}`;
  const streamed: string[] = [];
  const stream = request({
    ...tls,
    agent: false,
    path: `/v1/workspaces/${workspaceId}/events/stream`,
    headers: { Authorization, Accept: 'text/event-stream' },
  });
  stream.on('response', (response) =>
    response.setEncoding('utf8').on('data', (chunk: string) => streamed.push(chunk)),
  );
  stream.end();
  await until('the stream', () => streamed.length > 0);

  clock.advance(60 * DAY - HOUR);
  expect((await certificate())?.next_try_at).not.toBeNull();
  expect(authority.issued).toHaveLength(1);
  // The random part is a fiftieth of 90 days.
  clock.advance(2 * DAY);
  const second = await serving(domain, 2);
  expect(second).not.toBe(first);

  received.length = 0;
  ask();
  await until('a response on the old connection', () => received.join('').includes('200 OK'));
  const path = `/v1/workspaces/${workspaceId}/events`;
  const body = JSON.stringify({ type: 'deploy', payload: {} });
  const headers = { Authorization, 'Content-Type': 'application/json' };
  request({ ...tls, agent: false, rejectUnauthorized: false, path, method: 'POST', headers }).end(body);
  await until('the event in the old stream', () => streamed.join('').includes('"deploy"'));
  expect(kept.destroyed).toBe(false);
  kept.destroy();
  stream.destroy();
});

it('starts while the authority cannot be reached, says so, and gets the certificate when it can', async () => {
  const domain = await startDomain({
    prepare: (authority) => (authority.behavior = { down: true }),
  });
  const { authority, clock, server, plain, served, certificate } = domain;
  await until('the failure', () => plain('/').then(({ headers }) => headers.get('retry-after') === '120'));
  const waiting = await plain('/dashboard');
  expect([waiting.status, await waiting.text()]).toEqual([503, expect.stringContaining(DOMAIN)]);
  expect((await plain('/v1/me')).status).toBe(400);
  expect(await served()).toBeNull();

  // Each pause is twice the one before it, up to an hour.
  for (const minutes of [2, 4, 8, 16, 32, 60]) {
    clock.advance(minutes * MINUTE);
    const next = String(Math.min(2 * minutes, 60) * 60);
    await until('the next failure', () =>
      plain('/').then(({ headers }) => headers.get('retry-after') === next),
    );
  }
  authority.behavior = {};
  clock.advance(HOUR);
  await serving(domain);
  expect(await certificate()).toMatchObject({ last_error: null });
  expect((await domain.metrics())['failures_total']).toBe(7);
  expect(server.plainUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

it('goes on serving its certificate while the authority is down, refuses, or limits the rate', async () => {
  const domain = await startDomain();
  const { authority, clock, served, certificate, metrics } = domain;
  const first = await serving(domain);
  const fails = (about: string) =>
    until(about, async () => {
      const { last_error: error, next_try_at: next } = (await certificate()) ?? {};
      return error?.includes(about) && next != null && Date.parse(next) - clock.clock().getTime();
    });

  authority.behavior = { down: true };
  clock.advance(62 * DAY);
  expect(await fails('cannot be reached')).toBe(2 * MINUTE);
  expect(await served()).toBe(first);

  const caa = { status: 403, type: 'caa', detail: 'CAA record prevents issuance' };
  authority.behavior = { refuse: caa };
  clock.advance(2 * MINUTE);
  expect(await fails('A CAA record in the DNS of hub.example.com forbids')).toBe(4 * MINUTE);

  const limit = { status: 429, type: 'rateLimited', detail: 'too many certificates' };
  authority.behavior = { refuse: { ...limit, headers: { 'Retry-After': '86400' } } };
  clock.advance(4 * MINUTE);
  expect(await fails('rate limit')).toBe(DAY);

  // The authority's times are those of its own clock.
  const until1pm = { Date: 'Mon, 02 Mar 2026 10:00:00 GMT', 'Retry-After': 'Mon, 02 Mar 2026 13:00:00 GMT' };
  authority.behavior = { refuse: { ...limit, headers: until1pm } };
  clock.advance(DAY);
  expect(await fails('rate limit')).toBe(3 * HOUR);

  const odd = { status: 403, type: 'accountSuspended', detail: 'ask us' };
  authority.behavior = { refuse: odd };
  clock.advance(3 * HOUR);
  await fails('accountSuspended): ask us.');
  expect(await served()).toBe(first);
  expect(await metrics()).toMatchObject({ failures_total: 5 });

  for (const [type, sentence] of [
    ['connection', 'cannot reach hub.example.com on port 443.'],
    ['dns', 'finds no address for hub.example.com. Create an A or AAAA record'],
    ['unauthorized', 'did not get the response of this server'],
  ] as const) {
    authority.behavior = { failCheck: { type, detail: 'Timeout', checks: ['tls-alpn-01', 'http-01'] } };
    clock.advance(HOUR);
    await fails(sentence);
  }

  authority.behavior = { refuse: { status: 403, type: 'unauthorized', detail: 'it is deactivated' } };
  clock.advance(HOUR);
  await fails('refuses the account of this server, or its order.');

  for (const [page, sentence] of [
    [{ status: 404, body: 'none' }, 'does not: it responds with HTTP 404. Correct it'],
    [{ status: 200, body: { hello: 'world' } }, 'does not: its response does not name newNonce'],
  ] as const) {
    authority.behavior = { directory: page };
    clock.advance(HOUR);
    await fails(sentence);
  }

  // The certificate expires before anybody fixes this: an expired certificate is still better than none.
  authority.behavior = { refuse: odd };
  clock.advance(30 * DAY);
  await fails('accountSuspended');
  expect(await served()).toBe(first);
  authority.behavior = {};
  clock.advance(HOUR);
  expect(await serving(domain, 2)).not.toBe(first);
});

it('stops at once while the authority keeps it waiting', async () => {
  const asked = Promise.withResolvers<void>();
  const domain = await startDomain({
    prepare: (authority) => (authority.behavior = { silent: true, onIssue: () => asked.resolve() }),
  });
  await asked.promise;
  await domain.server.stop();
  const { server, served } = await domain.start();
  domain.authority.behavior = {};
  await serving({ authority: domain.authority, served });
  expect(domain.authority.orders).toBe(1);
  expect(server.plainUrl).not.toBeNull();
});

it('serves the stored certificate after a restart without an order, and orders a new one if the stored one is incomplete', async () => {
  const domain = await startDomain();
  const { authority, data, server, start } = domain;
  const first = await serving(domain);
  await server.stop();
  const again = await start();
  expect(await again.served()).toBe(first);
  expect(await again.certificate()).toMatchObject({ last_error: null });
  await again.server.stop();
  expect([authority.orders, authority.accounts.length]).toEqual([1, 1]);

  const [folder = ''] = await readdir(join(data, 'certificates'));
  const file = join(data, 'certificates', folder, `${DOMAIN}.pem`);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, 400));
  const third = await start();
  expect(await serving({ authority, served: third.served }, 2)).not.toBe(first);
});

it('makes a new account when the key of the old one is damaged, and keeps the damaged file', async () => {
  const domain = await startDomain();
  const { authority, data, server, start } = domain;
  await serving(domain);
  await server.stop();
  const [name = ''] = await readdir(join(data, 'certificates'));
  const folder = join(data, 'certificates', name);
  await writeFile(join(folder, 'account.pem'), 'garbage');
  await rm(join(folder, `${DOMAIN}.pem`));
  const again = await start();
  await serving({ authority, served: again.served }, 2);
  expect(authority.accounts).toHaveLength(2);
  expect(await readFile(join(folder, 'account.pem.damaged'), 'utf8')).toBe('garbage');
});

it('does not order again and again while its clock is wrong, and continues when the clock is set', async () => {
  const domain = await startDomain();
  const { authority, clock, certificate } = domain;
  await serving(domain);
  authority.behindMs = 70 * DAY;
  clock.advance(70 * DAY);
  await serving(domain, 2);
  const known = await until('the failure', async () => (await certificate())?.last_error ?? undefined);
  expect(known).toMatch(
    /^It is 20.* here, and the new certificate is for .* Set the clock of this machine\.$/,
  );
  clock.advance(47 * HOUR);
  expect((await certificate())?.next_try_at).toBe(new Date(clock.clock().getTime() + HOUR).toISOString());

  clock.set(-72 * DAY);
  clock.advance(HOUR);
  expect(await certificate()).toMatchObject({ last_error: null });
  clock.advance(30 * DAY);
  expect(authority.issued).toHaveLength(2);
});

it('waits as long after a restart as it would have without, until the operator removes the file of failures', async () => {
  const refused = { status: 429, type: 'rateLimited', detail: 'too many failed checks' };
  const domain = await startDomain({
    prepare: (authority) =>
      (authority.behavior = { refuse: { ...refused, headers: { 'Retry-After': '7200' } } }),
  });
  const { authority, clock, data } = domain;
  const pauseOf = async ({ plain }: Pick<Domain, 'plain'>) =>
    Number((await plain('/')).headers.get('retry-after')) * 1_000;
  await until('the refusal', async () => (await pauseOf(domain)) === 2 * HOUR);
  await domain.server.stop();
  authority.behavior = {};

  let again = await domain.start();
  clock.advance(HOUR);
  expect(await pauseOf(again)).toBe(HOUR);
  await again.server.stop();
  expect(authority.issued).toHaveLength(0);

  const [name = ''] = await readdir(join(data, 'certificates'));
  const folder = join(data, 'certificates', name);
  await rm(join(folder, `${DOMAIN}.failures.json`));
  again = await domain.start();
  await serving({ authority, served: again.served });

  // The row of failures and its reason go on, also when there is a certificate, until a success.
  authority.behavior = { down: true };
  for (const [wait, pause] of [
    [62 * DAY, 2 * MINUTE],
    [2 * MINUTE, 4 * MINUTE],
  ] as const) {
    clock.advance(wait);
    await until('the failure', async () => {
      const next = (await again.certificate())?.next_try_at;
      return next != null && Date.parse(next) - clock.clock().getTime() === pause;
    });
    const shown = await again.certificate();
    await again.server.stop();
    again = await domain.start();
    expect(await again.certificate()).toEqual(shown);
    expect(shown?.last_error).toContain('cannot be reached');
  }
  authority.behavior = {};
  clock.advance(4 * MINUTE);
  await serving({ authority, served: again.served }, 2);
  expect((await readdir(folder)).toSorted()).toEqual(['account.pem', `${DOMAIN}.pem`]);
});

it('ignores a file of failures that is damaged', async () => {
  const domain = await startDomain({ prepare: (authority) => (authority.behavior = { down: true }) });
  const { authority, data, plain } = domain;
  await until('the failure', () => plain('/').then(({ headers }) => headers.get('retry-after') === '120'));
  await domain.server.stop();
  authority.behavior = {};
  const [name = ''] = await readdir(join(data, 'certificates'));
  await writeFile(join(data, 'certificates', name, `${DOMAIN}.failures.json`), '{"failures":');
  const { served } = await domain.start();
  await serving({ authority, served });
});

it('names the option of a port that it cannot take, and leaves nothing open', async () => {
  const domain = await startDomain();
  const { ports, data, authority } = domain;
  await serving(domain);
  const config = (more: object) =>
    parseServerConfig(
      {
        domain: DOMAIN,
        acmeDirectory: authority.directory,
        host: '127.0.0.1',
        httpsPort: 0,
        data: join(data, 'other'),
        logLevel: 'silent',
        senders: 0,
        ...more,
      },
      {},
    );
  await expect(startServer(config({ httpPort: ports.http }))).rejects.toThrow(
    new RegExp(
      `^--http-port ${ports.http} is in use on 127\\.0\\.0\\.1.*put Hubline behind it: --behind-proxy`,
    ),
  );
  await expect(startServer(config({ httpsPort: ports.https, httpPort: 0 }))).rejects.toThrow(
    /^--https-port \d+ is in use/,
  );
  // Neither has asked for its own certificate.
  expect(authority.orders).toBe(1);
});
