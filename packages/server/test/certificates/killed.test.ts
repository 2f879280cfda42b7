import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { hublineCommand } from '../../../../scripts/programs/programs.ts';
import { until } from '../api/support/until.ts';
import { FakeAuthority } from './fake-authority.ts';

const DOMAIN = 'hub.example.com';

/** The fingerprint of the certificate on a port; `null` for none. */
const servedOn = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: DOMAIN, rejectUnauthorized: false }, () => {
      const { fingerprint256 = null } = socket.getPeerX509Certificate() ?? {};
      socket.destroy();
      resolve(fingerprint256);
    });
    socket.on('error', () => resolve(null));
  });

it('a server that was killed before it stored its certificate resumes the order, and still has the key of the certificate', async () => {
  const authority = await FakeAuthority.start();
  const data = await mkdtemp(join(tmpdir(), 'hubline-killed-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const root = join(data, 'root.pem');
  await writeFile(root, authority.root.pem);

  async function start() {
    const [file, ...args] = hublineCommand();
    const ports = ['--host', '127.0.0.1', '--https-port', '0', '--http-port', '0'];
    const names = ['--domain', DOMAIN, '--acme-directory', authority.directory];
    const child = spawn(file, [...args, 'server', 'start', '--json', '--data', data, ...names, ...ports], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: root, HUBLINE_SENDERS: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'close');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const port = Number(new URL((JSON.parse(line) as { url: string }).url).port);
    authority.reach({ https: port, http: 0 });
    return { port, ended, kill: () => child.kill('SIGKILL') };
  }

  const asked = Promise.withResolvers<void>();
  authority.behavior.onIssue = () => asked.resolve();
  authority.behavior.silent = true;
  const first = await start();
  await asked.promise;
  first.kill();
  await first.ended;
  const [folder = ''] = await readdir(join(data, 'certificates'));
  expect((await readdir(join(data, 'certificates', folder))).toSorted()).toEqual([
    'account.pem',
    `${DOMAIN}.order.json`,
  ]);

  authority.behavior = {};
  const second = await start();
  await until('the certificate', async () => (await servedOn(second.port)) === authority.issued[0]);
  expect([authority.orders, authority.issued.length, authority.accounts.length]).toEqual([1, 1, 1]);
  expect((await readdir(join(data, 'certificates', folder))).toSorted()).toEqual([
    'account.pem',
    `${DOMAIN}.pem`,
  ]);
});
