import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNameServersCheck } from './name-servers.ts';

const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/** A name server that answers every question with a code and no address, or says nothing. */
async function nameServer(code: number | null): Promise<{ address: string; asked: () => number }> {
  let asked = 0;
  const socket = createSocket('udp4', (question, { port, address }) => {
    asked += 1;
    if (code === null) return;
    const answer = Buffer.from(question);
    // A response with recursion, and the code.
    answer.writeUInt16BE(0x8180 | code, 2);
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked };
}

test.each([
  ['that a name exists', NO_ERROR, true],
  ['that there is no such name', NO_SUCH_NAME, true],
  ['that the servers behind it failed', SERVER_FAILURE, false],
  ['nothing', null, false],
])('a resolver that says %s', async (_, code, answers) => {
  const { address, asked } = await nameServer(code);
  expect(await createNameServersCheck({ resolvers: [address] })('a.example.com')).toBe(answers);
  expect(asked()).toBeGreaterThanOrEqual(2);
});

test('a name in the file of hosts needs no resolver, and one that is added later is found within seconds', async () => {
  const { address, asked } = await nameServer(NO_SUCH_NAME);
  const folder = await mkdtemp(join(tmpdir(), 'hubline-hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, '# 10.0.0.1 commented\n10.0.0.2\tinner.example INNER  # here\n');
  let now = 0;
  const answers = createNameServersCheck({ resolvers: [address], hosts, now: () => now });
  expect(await Promise.all(['inner.example', 'Inner'].map(answers))).toEqual([true, true]);
  expect(asked()).toBe(0);
  await writeFile(hosts, '10.0.0.3 added.example\n');
  now = 5_001;
  expect(await answers('added.example')).toBe(true);
  expect(asked()).toBe(0);
  await answers('inner.example');
  expect(asked()).toBeGreaterThanOrEqual(2);
});
