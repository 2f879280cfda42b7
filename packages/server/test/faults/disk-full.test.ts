import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import SQLite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import { Api } from '../api/support/api.ts';
import { startWorkspace } from '../api/support/workspace.ts';
import { startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { watchSqlite } from './watch-sqlite.ts';
import { Ledger, type Published } from './ledger.ts';

interface Disk {
  fill: () => Promise<void>;
  free: () => Promise<void>;
}

/** Fills the disk under a busy server, and makes room again. */
async function runFull(published: Published, disk: Disk): Promise<void> {
  const { api, workspaceId } = published;
  const ledger = new Ledger(published);
  const webhookId = await ledger.subscribe();
  for (let event = 0; event < 10; event += 1) expect(await ledger.publish()).toBe(true);

  await disk.fill();
  await until('a refusal', async () => !(await ledger.publish()));
  for (let event = 0; event < 10; event += 1) await ledger.publish();
  expect(ledger.refused.length).toBeGreaterThan(1);
  // Reads continue, and the server says what is wrong.
  await api.call('events.list', { params: { id: workspaceId } });
  await api.call('webhooks.get', { params: { webhookId } });
  const { origin } = new URL(api.baseUrl);
  expect((await fetch(`${origin}/livez`)).status).toBe(200);

  await disk.free();
  await until('room again', () => ledger.publish());
  for (let event = 0; event < 10; event += 1) expect(await ledger.publish()).toBe(true);
  await ledger.check();
}

async function receiver() {
  const started = await startReceiver();
  onTestFinished(() => started.stop());
  return started;
}

it.each(SENDER_MODES)(
  '%s, a database that cannot grow: writes are refused, reads continue, nothing is lost, and it recovers by itself',
  async (_, senders) => {
    const sqlite = watchSqlite();
    onTestFinished(() => sqlite.restore());
    const workspace = await startWorkspace({ flags: { senders } });
    onTestFinished(() => workspace.stop());
    const file = join(workspace.server.data, 'hubline.db');
    await runFull(
      { ...workspace, receiver: await receiver() },
      { fill: async () => sqlite.fill(file), free: async () => sqlite.free() },
    );
    using check = Object.assign(new SQLite(file, { readonly: true }), {
      [Symbol.dispose]: () => check.close(),
    });
    expect(check.pragma('integrity_check', { simple: true })).toBe('ok');
  },
);

it.for(SENDER_MODES)(
  '%s, a full disk: writes are refused, reads continue, nothing is lost, and it recovers by itself',
  async ([, senders], context) => {
    const folder = await mkdtemp(join(tmpdir(), 'hubline-disk-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = fileURLToPath(new URL('disk-process.ts', import.meta.url));
    // A small disk, visible to this process only.
    const mount = 'mount -t tmpfs -o size=6m tmpfs "$0" && exec "$@"';
    const started = [folder, process.execPath, ...programArguments(program), folder, String(senders)];
    const child = spawn(UNSHARE, ['-rm', 'sh', '-c', mount, ...started], { stdio: ['pipe', 'pipe', 'pipe'] });
    const errors = text(child.stderr);
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'error').then(() => [null]),
      once(child, 'exit').then(() => [null]),
    ])) as [string | null];
    context.skip(line === null, 'a separate disk cannot be mounted here');
    const { baseUrl, apiKey, workspaceId } = JSON.parse(line ?? '') as Record<string, string>;
    const filler = `/proc/${child.pid}/root${folder}/filler`;
    await runFull(
      {
        api: new Api(baseUrl ?? '', apiKey ?? ''),
        workspaceId: workspaceId ?? '',
        receiver: await receiver(),
      },
      {
        // To the last byte: the chunk that does not fit fills it.
        fill: () => writeFile(filler, Buffer.alloc(8_000_000)).catch(() => undefined),
        free: () => unlink(filler),
      },
    );
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    const log = (await errors)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { level: number; reason?: string });
    const failed = log.filter(({ level }) => level >= 50);
    expect(failed.length).toBeGreaterThan(1);
    for (const { reason } of failed)
      expect(reason).toMatch(/database or disk is full \(SQLITE_FULL\)\. Make room on the disk/);
    expect(log.filter((line) => 'err' in line)).toEqual([]);
  },
);

const UNSHARE = 'unshare';
