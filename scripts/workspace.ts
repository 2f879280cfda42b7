/** The workspace as the guards see it: read from disk, so that a new package is guarded from its first commit. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The address of the project, as every published package names it. */
export const REPOSITORY = 'https://github.com/hubline/hubline';

type Target = string | { readonly [condition: string]: Target };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, Target>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, Target>> };
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  /** The folder's name under `packages/`, which is also what follows `@hubline/`. */
  readonly folder: string;
  readonly path: string;
  readonly manifest: Manifest;
}

/** Every package under `packages/`, sorted by folder. */
export function workspacePackages(): WorkspacePackage[] {
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .map((file) => ({
      folder: dirname(relative('packages', file)),
      path: join(root, dirname(file)),
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
    }));
}

/** Sub-path (`.`, `./types`) → source file, from the export map's development condition. */
export function sourceEntries(pkg: WorkspacePackage): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [subpath, target] of Object.entries(pkg.manifest.exports ?? {})) {
    const source = typeof target === 'object' ? target['hubline-source'] : undefined;
    // A source that depends on the runtime is represented by the one that has the types.
    const file = typeof source === 'object' ? source['types'] : source;
    if (typeof file === 'string') entries.set(subpath, join(pkg.path, file));
  }
  return entries;
}

/** Reports whether the package has sources: an entry named in its manifest exists. */
export function hasSources(pkg: WorkspacePackage): boolean {
  const entries = [
    ...sourceEntries(pkg).values(),
    join(pkg.path, 'src/bin.ts'),
    join(pkg.path, 'bin.cjs'),
    join(pkg.path, 'src/main.tsx'),
  ];
  return entries.some((file) => existsSync(file));
}

/** TypeScript sources under `src/`, as paths relative to the workspace root. */
export function sourceFiles(pkg: WorkspacePackage): string[] {
  return globSync(`packages/${pkg.folder}/src/**/*.{ts,tsx}`, { cwd: root }).toSorted();
}

/** Reports whether a file is test code: a test, a type test, or a helper only tests import. */
export function isTest(file: string): boolean {
  return /\.(test|test-d|fixture)\.tsx?$|\/(test|fixtures)\//.test(file);
}
