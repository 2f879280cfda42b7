import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SERVER = join(import.meta.dirname, '../..');
const TSUP = join(SERVER, '../../node_modules/tsup/dist/cli-default.js');
const TIMEOUT_MS = 120_000;

it(
  'the built server has no crash points and no planted bugs',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hubline-shipped-'));
    try {
      await promisify(execFile)(process.execPath, [TSUP, '--no-dts', '--out-dir', folder], { cwd: SERVER });
      const files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
      expect(files).toContain('index.js');
      for (const name of files) {
        expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(
          /chaos|HUBLINE_CRASH_AT|planted/i,
        );
      }
      const manifest = JSON.parse(await readFile(join(SERVER, 'package.json'), 'utf8')) as {
        publishConfig: { imports: object };
      };
      expect(manifest.publishConfig.imports).toEqual({});
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);
