import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../../src/testing/testing.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubline-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
});

it.each([
  ['its flags', { memoryBudget: 'much' }],
  ['its address', { host: '192.0.2.1' }],
])('a test server that cannot start because of %s leaves nothing behind', async (_, flags) => {
  await expect(startTestServer({ flags })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it('a test server that cannot start leaves the folder of its caller', async () => {
  writeFileSync(join(folder, 'notes'), '');
  await expect(startTestServer({ flags: { data: folder, memoryBudget: 'much' } })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['notes']);
});
