/** A receiver's function and a browser pay for every byte, on every cold start; sizes grow unseen without a limit. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build } from 'esbuild';
import { report } from './report.ts';
import { root } from './workspace.ts';

interface Limit {
  readonly entry: string;
  /** What is imported from it; everything else is shaken off, as a bundler would. */
  readonly names: '*' | `{ ${string} }`;
  /** Bytes after minification and gzip. */
  readonly limit: number;
  /** Modules with sizes of their own, which are not counted. */
  readonly external?: string[];
}

const limits: readonly Limit[] = [
  // The core of the webhook helper is `verify`: what a function pays that only checks a signature.
  { entry: 'packages/webhooks/src/index.ts', names: '{ verify }', limit: 2048 },
  // Verifying, parsing and deduplicating, with the errors that explain what went wrong.
  { entry: 'packages/webhooks/src/index.ts', names: '{ unwrap }', limit: 3584 },
  { entry: 'packages/webhooks/src/index.ts', names: '*', limit: 5120 },
  // A program that makes calls, and everything. Why it is no less: docs/decisions/sdk-size.md.
  { entry: 'packages/sdk/src/index.ts', names: '{ Hubline }', limit: 9136, external: ['ky', 'p-retry'] },
  { entry: 'packages/sdk/src/index.ts', names: '*', limit: 9440, external: ['ky', 'p-retry'] },
];

const problems: string[] = [];
for (const { entry, names, limit, external = [] } of limits.filter((row) =>
  existsSync(join(root, row.entry)),
)) {
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from './${entry}';`, resolveDir: root },
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
  console.log(`${entry} ${names}: ${size} of ${limit} bytes`);
  if (size > limit)
    problems.push(`${names} of ${entry} is ${size - limit} bytes over its limit of ${limit} (gzip)`);
}
report(problems, 'Sizes');
