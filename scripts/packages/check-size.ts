/** A receiver's function and a browser pay for every byte, on every cold start; sizes grow unseen without a limit. Needs built packages. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildDashboard } from '../build-dashboard.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

interface Limit {
  /** The module that a program imports from. */
  readonly from: string;
  /** The names that it imports; everything else is removed by tree shaking, as in a user's bundle. */
  readonly names: '*' | `{ ${string} }`;
  /**
   * `at import`: the files that load before the first call, in a bundle that may have several. `in one file`: everything,
   * dependencies included, as a Worker is bundled.
   */
  readonly counted: 'at import' | 'in one file';
  /** Bytes after minification and gzip. */
  readonly limit: number;
}

const KB = 1024;

const limits: readonly Limit[] = [
  // The core of the webhook helper is `verify`: the cost of a function that only checks a signature.
  // docs/decisions/verification.md says what its speed costs.
  { from: '@hubline/webhooks', names: '{ verify }', counted: 'in one file', limit: 2688 },
  // Verifying, parsing and deduplicating, with the errors that explain what went wrong.
  { from: '@hubline/webhooks', names: '{ unwrap }', counted: 'in one file', limit: 3840 },
  { from: '@hubline/webhooks', names: '*', counted: 'in one file', limit: 5376 },
  // A program that makes calls, and everything. The code that makes the calls loads with the first of them, then ky.
  { from: '@hubline/sdk', names: '{ Hubline }', counted: 'at import', limit: 6.5 * KB },
  { from: '@hubline/sdk', names: '*', counted: 'at import', limit: 6_976 },
  // With p-retry. docs/decisions/sdk-size.md says what it is made of.
  { from: '@hubline/sdk/fetch', names: '{ Hubline }', counted: 'in one file', limit: 11_328 },
  { from: '@hubline/sdk/fetch', names: '*', counted: 'in one file', limit: 11_328 },
];

/** Entries whose whole bundle must not hold ky, and the platform that each is for. */
const WITHOUT_KY = { '@hubline/sdk/fetch': 'neutral', '@hubline/sdk/node': 'node' } as const;

/** Bundles the build as a user's bundler does. */
const bundle = (
  { from, names }: Pick<Limit, 'from' | 'names'>,
  { splitting = false, platform = 'neutral' }: { splitting?: boolean; platform?: 'neutral' | 'node' } = {},
) =>
  build({
    stdin: {
      contents: `export ${names} from '${from}';`,
      resolveDir: join(root, 'packages', from.split('/')[1] ?? ''),
      sourcefile: 'user.js',
    },
    splitting,
    outdir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'error',
    format: 'esm',
    // Neutral: a package that needs Node's own modules does not build, and so cannot claim to run everywhere.
    platform,
    mainFields: ['module', 'main'],
    conditions: ['import'],
    // Users do not have our tsconfig.json.
    tsconfigRaw: {},
  });

/** The bytes of a bundle that count. */
async function sizeOf(row: Limit): Promise<number> {
  const { outputFiles, metafile } = await bundle(row, { splitting: row.counted === 'at import' });
  const late = new Set(
    Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ kind, external }) => kind === 'dynamic-import' && !external)
      .map(({ path }) => basename(path)),
  );
  return outputFiles
    .filter(({ path }) => !late.has(basename(path)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

async function kyProblems(): Promise<string[]> {
  const problems = [];
  for (const [from, platform] of Object.entries(WITHOUT_KY)) {
    const { metafile } = await bundle({ from, names: '*' }, { platform });
    const found = Object.keys(metafile.inputs).some((path) => path.includes('/node_modules/ky/'));
    if (found) problems.push(`a bundle of ${from} holds ky, which it does not use`);
  }
  return problems;
}

/** The limits of the dashboard, in bytes: all JavaScript, its events page, its API reference (a separate page) and its fonts. */
const DASHBOARD = { total: 111.5 * 1024, first: 60 * 1024, docs: 6 * 1024, fonts: 120 * 1024 };

/** The modules with all their static imports. */
function withImports(files: readonly string[], read: (file: string) => string): readonly string[] {
  const all = new Set(files);
  for (const file of all)
    for (const [, name] of read(file).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) all.add(`assets/${name}`);
  return [...all];
}

function dashboardProblems(): string[] {
  const dist = buildDashboard();
  const files = globSync('assets/*.js', { cwd: dist });
  const sizes = new Map(
    files.map((file) => [file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length] as const),
  );
  const docs = files.filter((file) => file.startsWith('assets/docs-'));
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = withImports(
    files.filter((file) => page.includes(file) || file.startsWith('assets/events-')),
    (file) => readFileSync(join(dist, file), 'utf8'),
  );
  // Fonts are compressed already.
  const fonts = globSync('assets/*.woff2', { cwd: dist }).reduce(
    (total, file) => total + statSync(join(dist, file)).size,
    0,
  );
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  return [
    { what: 'all JavaScript of @hubline/dashboard', size: sum(files) - sum(docs), limit: DASHBOARD.total },
    { what: 'the API reference of @hubline/dashboard', size: sum(docs), limit: DASHBOARD.docs },
    { what: 'the events page of @hubline/dashboard', size: sum(first), limit: DASHBOARD.first },
    { what: 'the fonts of @hubline/dashboard', size: fonts, limit: DASHBOARD.fonts },
  ].flatMap(({ what, size, limit }) => {
    console.log(`${what}: ${size} of ${limit} bytes`);
    return size > limit ? [`${what} is ${size - limit} bytes over its limit of ${limit} (gzip)`] : [];
  });
}

const problems = [...(await kyProblems()), ...dashboardProblems()];
for (const row of limits) {
  const size = await sizeOf(row);
  const what = `${row.names} of ${row.from} ${row.counted}`;
  console.log(`${what}: ${size} of ${row.limit} bytes`);
  if (size > row.limit)
    problems.push(`${what} is ${size - row.limit} bytes over its limit of ${row.limit} (gzip)`);
}
report(problems, 'Sizes');
