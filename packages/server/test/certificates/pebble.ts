import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../api/support/until.ts';
import { TestRoot } from './test-root.ts';
import type { Reach } from './validate.ts';

const AUTHORITY = 'pebble';
const DNS = 'pebble-challtestsrv';

const helpOf = (program: string) => spawnSync(program, ['-help'], { encoding: 'utf8' });

/** True if Let's Encrypt's own test authority is installed, for example from the Debian package `pebble`. */
export const hasPebble = [AUTHORITY, DNS].every((program) => helpOf(program).error === undefined);

/** Finds ports that are free at the moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Starts pebble for one test. In its DNS, every name is this machine. */
export async function startPebble({ http, https }: Reach) {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-pebble-'));
  const own = await TestRoot.make();
  const { pem } = await own.issueFor('localhost');
  const [listen = 0, management = 0, dns = 0, dnsManagement = 0] = await freePorts(4);
  const config = {
    listenAddress: `127.0.0.1:${listen}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'own.pem'),
    privateKey: join(folder, 'own.pem'),
    httpPort: http,
    tlsPort: https,
  };
  await writeFile(config.certificate, pem);
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
  // Versions have different flags: 2.4 has no `-doh`, and calls `-dnsserver` `-dns01`. An empty one turns a server off.
  const known = helpOf(DNS).stderr;
  const server = `127.0.0.1:${dns}`;
  const off = { http01: '', https01: '', tlsalpn01: '', doh: '', defaultIPv6: '' };
  const flags = { ...off, dns01: server, dnsserver: server, management: `127.0.0.1:${dnsManagement}` };
  const given = Object.entries(flags)
    .filter(([name]) => known.includes(`-${name} `))
    .flatMap(([name, value]) => [`-${name}`, value]);
  const children = [
    spawn(DNS, given),
    spawn(AUTHORITY, ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dns}`, '-strict'], {
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    }),
  ];
  for (const child of children) {
    child.stdout?.resume();
    child.stderr?.resume();
  }
  // One that has ended by itself closes only once.
  const ended = children.map((child) => once(child, 'close'));
  onTestFinished(async () => {
    for (const child of children) child.kill();
    await Promise.all(ended);
    await rm(folder, { recursive: true, force: true });
  });
  const root = await until('pebble', () => textOf(`https://localhost:${management}/roots/0`, own.pem));
  return {
    directory: `https://localhost:${listen}/dir`,
    /** The certificate to trust for its own HTTPS. */
    ca: own.pem,
    /** The root of the certificates that it issues. */
    root: { pem: root },
    reach: () => undefined,
  };
}

const textOf = (url: string, ca: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    get(url, { ca, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', () => resolve(undefined));
  });
