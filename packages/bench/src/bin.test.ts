import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('bin.ts', import.meta.url));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  ['verify', 'strip', 'stripe'],
  ['sdk', 'hublin', 'ky'],
  ['fanout', 'one', 'one_to_1000'],
  ['read', 'page', 'page_20'],
  ['bounds', 'none', 'nothing'],
  ['pipeline', 'hubline,bull', 'bullmq_undici'],
])('%s --only %s is refused with the names that there are', async (name, only, known) => {
  const flags = [name, '--source', '--rounds', '1', '--events', '3', '--only', only];
  const bench = spawn(process.execPath, ['--conditions=hubline-source', BIN, ...flags], { stdio: 'pipe' });
  onTestFinished(() => void bench.kill('SIGKILL'));
  const exited = once(bench, 'exit');
  let log = '';
  for await (const chunk of bench.stderr.setEncoding('utf8')) log += String(chunk);
  expect(await exited).toEqual([2, null]);
  expect(log).toContain('--only takes ');
  expect(log).toContain(known);
  expect(log).toContain(`not "${only.split(',').at(-1)}".`);
});

it.each(['SIGINT', 'SIGTERM'] as const)('leaves no server and no folder behind after %s', async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), 'hubline-interrupted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = ['read', '--source', '--rounds', '1000', '--events', '100', '--only', 'get'];
  const bench = spawn(process.execPath, ['--conditions=hubline-source', BIN, ...flags], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(bench, 'exit');
  onTestFinished(() => void bench.kill('SIGKILL'));
  let log = '';
  for await (const chunk of bench.stderr.setEncoding('utf8')) {
    log += String(chunk);
    if (log.includes('round 1 ')) break;
  }
  const [info = ''] = globSync('hubline-bench-*/hubline/server.json', { cwd: folder });
  const { pid } = JSON.parse(readFileSync(join(folder, info), 'utf8')) as { pid: number };
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(isRunning(pid)).toBe(true);

  bench.kill(signal);
  await exited;
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
