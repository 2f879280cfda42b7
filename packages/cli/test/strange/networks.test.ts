import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import { PATIENT, spawnCli } from '../support/spawn-cli.ts';
import { expectSentence } from '../../src/test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../src/test/run-cli.ts';

const onLinux = process.platform === 'linux';
const UNSHARE = 'unshare';
const HOSTS = ['127.0.0.1 localhost', '::1 localhost both.test', 'fe80::1 near.test both.test', ''].join(
  '\n',
);

it('a port that is in use is reported with the process that has it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const data = join(await temporaryDirectory(), 'data');
  const started = await runCli(['server', 'start', '--seed', `--port=${port}`, `--data=${data}`]);
  expectSentence(started);
  await expect(access(data)).rejects.toThrow('ENOENT');
  expect(started.err).toContain(`--port ${port} is in use on 127.0.0.1`);
  if (onLinux) expect(started.err).toMatch(new RegExp(`by .+ \\(pid ${process.pid}\\)`));
});

it.runIf(onLinux)(
  'a port that another server or a program of Node has is reported with its name',
  async () => {
    const folder = await temporaryDirectory();
    const script = join(folder, 'app.mjs');
    await writeFile(
      script,
      `(await import('node:net')).createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
    );
    const node = spawn(process.execPath, ['--no-warnings', script]);
    onTestFinished(() => void node.kill());
    const [printed] = (await once(node.stdout, 'data')) as [Buffer];
    const hubline = spawnCli(['server', 'start', '--port=0', `--data=${join(folder, 'one')}`, '--json']);
    onTestFinished(() => void hubline.child.kill());
    await vi.waitUntil(() => hubline.read.out.includes('\n'), PATIENT);
    const { url } = JSON.parse(hubline.read.out) as { url: string };
    const startOn = (port: string) =>
      runCli(['server', 'start', `--port=${port}`, `--data=${join(folder, 'two')}`]);
    const beside = await startOn(String(printed).trim());
    expect(beside.err).toContain(`by node ${script} (pid ${node.pid})`);
    const after = await startOn(new URL(url).port);
    expect(after.err).toContain(`by another Hubline (pid ${hubline.child.pid})`);
  },
  PATIENT.timeout,
);

it.each([
  ['192.0.2.1', '--host 192.0.2.1 is not an address of this machine'],
  ['fe80::1', '--host fe80::1 is a link-local address. Add the name of a network interface'],
  ['fe80::1%none', 'of this machine: fe80::1%eth0, for example.'],
  ['ff02::1', '--host must be the address of one machine, such as 127.0.0.1'],
  ['h'.repeat(300), 'The server cannot listen on --host hhh'],
  [' ', '--host must be an address such as 127.0.0.1, or a name, without spaces.'],
])('the address %j, which the server cannot listen on, is reported', async (host, told) => {
  const data = await temporaryDirectory();
  for (const command of ['start', 'check-config']) {
    const ran = await runCli(['server', command, `--host=${host}`, '--port=0', `--data=${data}`]);
    expectSentence(ran);
    expect(ran.err).toContain(told);
  }
});

it('a start with data, at an address of another machine, reports that alone', PATIENT, async () => {
  const data = `--data=${await temporaryDirectory()}`;
  await runCli(['server', 'bootstrap', data, '--email=ana@acme.test', '--yes']);
  const { err } = await spawnCli(['server', 'start', '--host=192.0.2.1', '--port=0', data]).ended;
  expect(err).toMatch(/^Error: --host 192\.0\.2\.1 is not an address of this machine/);
});

it.runIf(onLinux)('a machine with IPv6 only is offered an address that it has', PATIENT, async (context) => {
  const commands = 'ip addr del 127.0.0.1/8 dev lo';
  const start = await ownNetwork(context, { commands, hosts: HOSTS });
  for (const [host, told] of [
    ['127.0.0.1', 'is not an address of this machine. Use ::1, or another of its addresses.'],
    ['0.0.0.0', 'is an IPv4 address, and this machine has none. Use ::1, or another of its addresses.'],
    ['near.test', '--host near.test (fe80::1) is a link-local address'],
  ] as const)
    expect((await start(host).ended).err).toContain(told);
  for (const { child, read } of ['::', 'localhost', 'both.test'].map(start)) {
    await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
    expect(read.out).toContain('"url":"http://[::1]:');
  }
});

it.runIf(onLinux)(
  'if a name has several addresses, the server listens on the one of this machine',
  PATIENT,
  async (context) => {
    // With a default route, the resolver does not put unreachable addresses last.
    const commands =
      'ip addr add 10.9.9.9/32 dev lo && ip addr add 2001:db8::5/128 dev lo && ip -6 route add default dev lo';
    const hosts = '2001:db8::1 hub.test\n10.9.9.9 hub.test\n';
    const start = await ownNetwork(context, { commands, hosts });
    const { child, read } = start('hub.test');
    await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
    expect(read).toMatchObject({ out: expect.stringContaining('"url":"http://10.9.9.9:') });
  },
);

/** Starts servers on their own network, which `commands` set up, with the names in `hosts`. */
async function ownNetwork(context: TestContext, { commands, hosts }: { commands: string; hosts: string }) {
  const folder = await temporaryDirectory();
  const file = join(folder, 'hosts');
  await writeFile(file, hosts);
  const net = `{ ip link set lo up && ${commands} && mount --bind ${file} /etc/hosts; }`;
  const within = [UNSHARE, '-rmn', 'sh', '-c', `${net} && exec "$0" "$@"`];
  const tried = spawnSync(UNSHARE, [...within.slice(1), 'true']);
  context.skip(tried.status !== 0, 'a separate network cannot be made here');
  return (host: string) => {
    const line = ['server', 'start', '--port=0', `--host=${host}`, `--data=${join(folder, host)}`, '--json'];
    return spawnCli(line, {}, { within });
  };
}
