import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import { deliver, publish, reaches, read, receiver, subscribe } from './support.ts';
import { TestClock } from './test-clock.ts';

const SERVER = join(import.meta.dirname, '../..');
const DYING = new URL('./threads/dying-sender.process.ts', import.meta.url);
const BROKEN = new URL('./threads/broken-sender.process.ts', import.meta.url);

const time = new TestClock();
let workspace: TestWorkspace & { stop(): Promise<void> };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hubline-senders-'));
  workspace = await startWorkspace({
    clock: time.clock,
    timer: time.timer,
    flags: { senders: 2 },
    senderProgram: DYING,
  });
});
afterAll(async () => {
  await workspace.stop();
  await rm(folder, { recursive: true });
});

/** A figure of `/metrics`, summed over all senders. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${workspace.server.url}/metrics`)).text();
  const found = [...text.matchAll(new RegExp(`^hubline_sender_${name}\\{sender="\\d"\\} (\\S+)$`, 'gm'))];
  expect(found).toHaveLength(2);
  return found.reduce((sum, [, value]) => sum + Number(value), 0);
}

describe('a sender that dies', () => {
  it('is replaced, and its call is made again under the same ID and counts once', async () => {
    const replaced = await figure('replaced_total');
    const witness = await receiver();
    const there = await subscribe(workspace, `${witness.url}/die-once?${join(folder, 'once')}`);
    const { id } = await deliver(there);
    const { attempts } = await reaches(workspace, id, { status: 'delivered', attempts: 1 });
    expect(attempts).toMatchObject([{ response_status: 200, error: null }]);
    expect(witness.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(witness.calls.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1']);
    expect(await figure('replaced_total')).toBe(replaced + 1);
  });

  it('three times over one delivery makes that attempt count as failed, without another call', async () => {
    const replaced = await figure('replaced_total');
    const poisoned = await receiver();
    const there = await subscribe(workspace, `${poisoned.url}/die`);
    const { id } = await deliver(there);
    const { attempts } = await reaches(workspace, id, { status: 'retrying', attempts: 1 });
    expect(attempts).toMatchObject([
      { response_status: null, error: { kind: 'reset', message: expect.stringContaining('3 times') } },
    ]);
    expect(poisoned.calls).toHaveLength(3);
    expect(await figure('replaced_total')).toBe(replaced + 3);
  });

  it('keeps nobody else waiting: the others or its successor send its deliveries', async () => {
    const poisoned = await receiver();
    const dying = await subscribe(workspace, `${poisoned.url}/die-once?${join(folder, 'healthy')}`);
    const witnesses = await Promise.all(Array.from({ length: 4 }, () => receiver()));
    const healthy = await Promise.all(witnesses.map(({ url }) => subscribe(workspace, url)));
    await publish(dying);
    for (const there of healthy) for (let count = 0; count < 10; count += 1) await publish(there);
    for (const witness of witnesses)
      await until(
        'all arrive',
        () => new Set(witness.calls.map((call) => call.headers['webhook-id'])).size === 10,
      );
  });
});

it('a large body reaches the receiver as it was published, and again when its sender died with it', async () => {
  const witness = await receiver();
  const there = await subscribe(workspace, `${witness.url}/die-once?${join(folder, 'large')}`);
  const text = randomBytes(200_000).toString('base64');
  await publish(there, { text });
  await until('both calls', () => witness.calls.length === 2);
  for (const { body } of witness.calls)
    expect((JSON.parse(body) as { data: { payload: { text: string } } }).data.payload.text).toBe(text);
});

it('/metrics shows the calls under way of each sender, and how busy it is', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<{ status: number }>();
  const slow = await receiver(() => opened);
  const there = await subscribe(workspace, slow.url);
  const { id } = await deliver(there);
  await until('a call', () => slow.calls.length === 1);
  expect(await figure('calls')).toBe(1);
  expect(await figure('busy_seconds_total')).toBeGreaterThan(0);
  open({ status: 200 });
  await reaches(workspace, id, { status: 'delivered' });
  expect([await figure('calls'), (await read(workspace, id)).attempt_count]).toEqual([0, 1]);
});

it.each([
  ['--input-type=module'],
  ['--input-type', 'module'],
  // Flags of the whole process, which a thread cannot have.
  ['--max-old-space-size=512', '--expose-gc', '--use-system-ca'],
])(
  'senders start in a program that is passed as text, and with flags of the whole process: %s',
  async (...option) => {
    // The program makes a call, because a thread starts only with its first call.
    const program = `const { createServer } = await import('node:http');
      const { startTestServer } = await import('@hubline/server/testing');
      const called = Promise.withResolvers();
      const receiver = createServer((call, response) => { response.end(); called.resolve(); }).listen(0, '127.0.0.1');
      await new Promise((listening) => receiver.once('listening', listening));
      const server = await startTestServer({ flags: { senders: 1 } });
      const post = async (path, body) => {
        const headers = { Authorization: 'Bearer ' + server.apiKey, 'Content-Type': 'application/json' };
        const response = await fetch(server.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!response.ok) throw new Error(await response.text());
      };
      const url = 'http://127.0.0.1:' + receiver.address().port;
      await post('/webhooks', { url, events: ['*'], workspace_id: server.workspaceId, secret: 's' });
      await post('/workspaces/' + server.workspaceId + '/events', { type: 't', payload: {} });
      await called.promise;
      await server.stop();
      receiver.close();`;
    // Rejects with the program's standard error when the program fails.
    await promisify(execFile)(process.execPath, [...option, '-e', program], { cwd: SERVER });
  },
);

it('a sender starts with its first call; if it cannot start, no call is made, and the attempt does not count', async () => {
  const broken = await startWorkspace({ flags: { senders: 1 }, senderProgram: BROKEN });
  onTestFinished(() => broken.stop());
  const replaced = async () =>
    /^hubline_sender_replaced_total\{sender="0"\} (\d+)/m.exec(
      await (await fetch(`${broken.server.url}/metrics`)).text(),
    )?.[1];
  expect(await replaced()).toBe('0');
  const { id } = await deliver(await subscribe(broken, (await receiver()).url));
  await until('a replaced sender', async () => Number(await replaced()) > 0);
  expect(await read(broken, id)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });
});
