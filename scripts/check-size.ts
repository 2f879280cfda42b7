/** A receiver's function and a browser pay for every byte, on every cold start; sizes grow unseen without a limit. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build } from 'esbuild';
import { report } from './report.ts';
import { root } from './workspace.ts';

/** Bytes after minification and gzip. `external` modules have their own sizes and are not counted. */
const limits = [
  { entry: 'packages/webhooks/src/index.ts', limit: 2048, external: [] },
  { entry: 'packages/sdk/src/index.ts', limit: 6144, external: ['ky', 'p-retry'] },
];

const problems: string[] = [];
for (const { entry, limit, external } of limits.filter((row) => existsSync(join(root, row.entry)))) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    external,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    // Neutral: a package that needs Node's own modules does not build, and so cannot claim to run everywhere.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['hubline-source', 'import'],
  });
  const size = outputFiles.reduce((sum, file) => sum + gzipSync(file.contents, { level: 9 }).length, 0);
  console.log(`${entry}: ${size} of ${limit} bytes`);
  if (size > limit) problems.push(`${entry} is ${size - limit} bytes over its limit of ${limit} (gzip)`);
}
report(problems, 'Sizes');
