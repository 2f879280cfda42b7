/** A receiver's function and a browser pay for every byte, on every cold start; sizes grow unseen without a limit. Needs built packages. */
import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildDashboard } from './build-dashboard.ts';
import { report } from './report.ts';
import { root } from './workspace.ts';

interface Limit {
  readonly package: 'sdk' | 'webhooks';
  /** What is imported from it; everything else is shaken off, as a bundler would. */
  readonly names: '*' | `{ ${string} }`;
  /** `at import`: what there is before something is loaded late. `in one file`: everything, as a Worker is bundled. */
  readonly counted: 'at import' | 'in one file';
  /** Bytes after minification and gzip. */
  readonly limit: number;
  /** Modules with sizes of their own, which are not counted. */
  readonly external?: string[];
}

const limits: readonly Limit[] = [
  // The core of the webhook helper is `verify`: what a function pays that only checks a signature.
  { package: 'webhooks', names: '{ verify }', counted: 'in one file', limit: 2048 },
  // Verifying, parsing and deduplicating, with the errors that explain what went wrong.
  { package: 'webhooks', names: '{ unwrap }', counted: 'in one file', limit: 3136 },
  { package: 'webhooks', names: '*', counted: 'in one file', limit: 4480 },
  // A program that makes calls, and everything. The rest comes with the first call; p-retry and ky are in that rest.
  { package: 'sdk', names: '{ Hubline }', counted: 'at import', limit: 5472 },
  { package: 'sdk', names: '*', counted: 'at import', limit: 5920 },
  // Why it is no less: docs/decisions/sdk-size.md.
  { package: 'sdk', names: '{ Hubline }', counted: 'in one file', limit: 9536, external: ['p-retry'] },
  { package: 'sdk', names: '{ Hubline }', counted: 'in one file', limit: 11_032 },
  { package: 'sdk', names: '*', counted: 'in one file', limit: 9824, external: ['p-retry'] },
];

/** What was built, bundled as a user's bundler does it: the files by name, and which of them are there at import. */
async function bundle({ package: folder, names, counted, external = [] }: Limit) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export ${names} from '@hubline/${folder}';`,
      resolveDir: join(root, 'packages', folder),
      sourcefile: 'user.js',
    },
    external: ['ky', ...external],
    splitting: counted === 'at import',
    outdir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    // Neutral: a package that needs Node's own modules does not build, and so cannot claim to run everywhere.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    // Ours is no user's.
    tsconfigRaw: {},
  });
  const late = new Set(
    Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ kind, external: outside }) => kind === 'dynamic-import' && !outside)
      .map(({ path }) => basename(path)),
  );
  return outputFiles.filter(({ path }) => !late.has(basename(path)));
}

/** All JavaScript of the dashboard, and what its first page needs: the entry, what it imports, and what the first request loads. */
const DASHBOARD = { total: 90 * 1024, first: 40 * 1024 };

function dashboardProblems(): string[] {
  const dist = buildDashboard();
  const files = globSync('assets/*.js', { cwd: dist });
  const sizes = new Map(
    files.map((file) => [file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length] as const),
  );
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  // The SDK's runner comes with the first request, an events page with its parts after that.
  const first = files.filter((file) => page.includes(file) || /\/(?:runner|page|events|table)-/.test(file));
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  return [
    { what: 'all JavaScript of @hubline/dashboard', size: sum(files), limit: DASHBOARD.total },
    { what: 'the first page of @hubline/dashboard', size: sum(first), limit: DASHBOARD.first },
  ].flatMap(({ what, size, limit }) => {
    console.log(`${what}: ${size} of ${limit} bytes`);
    return size > limit ? [`${what} is ${size - limit} bytes over its limit of ${limit} (gzip)`] : [];
  });
}

const problems: string[] = [];
for (const row of limits) {
  const files = await bundle(row);
  const size = files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  const without = row.external ? `, without ${row.external.join()}` : '';
  const what = `${row.names} of @hubline/${row.package} ${row.counted}${without}`;
  console.log(`${what}: ${size} of ${row.limit} bytes`);
  if (size > row.limit)
    problems.push(`${what} is ${size - row.limit} bytes over its limit of ${row.limit} (gzip)`);
}
problems.push(...dashboardProblems());
report(problems, 'Sizes');
