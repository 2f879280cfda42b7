/** Every check besides the tests, as data. scripts/test.ts runs the phases one after the other. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { hasSources, root, workspacePackages } from '../workspace.ts';
import { shortTypeErrors } from './short-type-errors.ts';

export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Shortens the output of a failure. Default: it is shown in full. */
  readonly shorten?: (output: string) => string;
}

const script = (name: string, ...args: string[]): readonly [string, ...string[]] => [
  process.execPath,
  `scripts/${name}.ts`,
  ...args,
];

/** A script that imports the packages' sources. */
const fromSources = (name: string): readonly [string, ...string[]] => {
  const [node, ...args] = script(name);
  return [node, '--conditions=hubline-source', ...args];
};

// The compiler in Go: a quarter of the time of the one in JavaScript, which the tools that build declarations still need.
const TSC = 'node_modules/typescript-native/bin/tsc';

// Checkers side by side each work out the types that they share. Notes on what the next run can skip take a third as long as the check
// itself, and a clean clone has no next run.
const CHECK_ONCE = ['--checkers', '1', ...(process.env['CI'] ? ['--incremental', 'false'] : [])];

/** The root program holds all but the browser's; a package may have another with fewer globals (`tsconfig.portable.json`). */
function typecheck(): Step[] {
  const others = globSync('packages/{dashboard/tsconfig.json,*/tsconfig.*.json}', { cwd: root });
  const programs = ['tsconfig.json', ...others.toSorted()];
  return programs.map((file) => ({
    name: file === 'tsconfig.json' ? 'types' : `types:${file.split('/')[1]}`,
    command: [process.execPath, TSC, '--project', file, ...CHECK_ONCE],
    shorten: shortTypeErrors,
  }));
}

/** pnpm builds in the order of the dependencies; a package without sources is left out. */
function build(): Step[] {
  const filters = workspacePackages()
    .filter(hasSources)
    .flatMap(({ manifest }) => ['--filter', manifest.name]);
  if (filters.length === 0) return [];
  return [
    { name: 'build', command: ['pnpm', '-r', '--workspace-concurrency=2', ...filters, 'run', 'build'] },
  ];
}

/** Checks that read the sources, before anything is built. */
const reading: Step[] = [
  { name: 'lint', command: ['oxlint'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  ...typecheck(),
  { name: 'boundaries', command: script('guards/boundaries/check-boundaries') },
  { name: 'transactions', command: script('guards/check-transactions') },
  { name: 'isolation', command: script('guards/check-isolation') },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'generated', command: script('guards/check-generated') },
  { name: 'openapi', command: script('guards/check-openapi') },
  { name: 'docs', command: script('docs/check-docs') },
  { name: 'links', command: script('docs/check-links') },
  { name: 'citations', command: script('guards/check-citations') },
  { name: 'words', command: script('guards/check-words') },
  { name: 'changesets', command: script('guards/check-changesets') },
];

/** Checks of the builds. The longest begins first, so that none is left to run alone. */
const built: Step[] = [
  { name: 'runtimes', command: script('packages/check-runtimes') },
  { name: 'next', command: script('packages/check-next') },
  { name: 'packages', command: script('packages/check-packages') },
  { name: 'api-report', command: script('packages/api-report', '--check') },
  { name: 'size', command: script('packages/check-size') },
];

/** Checks that start real servers. They come last and have the machine to themselves. */
const running: Step[] = [
  { name: 'clients', command: fromSources('packages/check-clients') },
  ...(existsSync(join(root, 'examples')) ? [{ name: 'examples', command: script('docs/run-examples') }] : []),
];

/** Reports whether one of these words names the step. `types` names all programs of the compiler, also `types:dashboard`. */
export const isNamed = ({ name }: Step, words: readonly string[]): boolean =>
  words.includes(name) || words.includes(name.replace(/:.*/, ''));

/** Phases before the tests, in order; the steps of one phase run side by side. */
export const beforeTests: readonly (readonly Step[])[] = [reading, build(), built];

export const afterTests: readonly (readonly Step[])[] = [running];
