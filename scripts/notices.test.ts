import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { NOTICES, withNotices } from './notices.ts';
import { root } from './workspace.ts';

async function bundled(contents: string): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'hubline-notices-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  await build({
    stdin: { contents, resolveDir: join(root, 'packages/sdk') },
    bundle: true,
    outdir,
    plugins: [withNotices],
  });
  return outdir;
}

it('writes the license of each bundled package, and of what it needs, once', async () => {
  const folder = await bundled(
    "export { default as a } from 'p-retry'; export { AbortError } from 'p-retry';",
  );
  const text = readFileSync(join(folder, NOTICES), 'utf8');
  expect(text.match(/^\S+ \d\S* \(.+\)$/gm)).toEqual([
    expect.stringMatching(/^is-network-error .*\(MIT\)$/),
    expect.stringMatching(/^p-retry .*\(MIT\)$/),
  ]);
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(2);
});

it('writes nothing for a bundle of our own code', async () => {
  const folder = await bundled('export const a = 1;');
  expect(readdirSync(folder)).not.toContain(NOTICES);
});
