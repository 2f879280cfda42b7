import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';

const SERVER = join(import.meta.dirname, '../operations/server-process.ts');
// At about 200 bytes each, these lines are more than a pipe and a socket hold.
const LINES = 4_000;
const CLIENTS = 8;

it('SIGTERM ends a server whose log nobody reads', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-unread-'));
  const flags = { data, port: 0, rateLimit: 1_000_000, logFormat: 'json', logLevel: 'debug' };
  const child = spawn(process.execPath, [...programArguments(SERVER), JSON.stringify(flags)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const ended = once(child, 'exit');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const client = async () => {
      for (let sent = 0; sent < LINES / CLIENTS; sent += 1)
        await (await fetch(`${url}/v1/workspaces`)).text();
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  }
});
