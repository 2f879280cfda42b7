/**
 * The way in which every library is built. The entries come from the export map, so that the exports of a package are written
 * once, in its package.json, where `hubline-source` names the source of each sub-path.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Format, Options } from 'tsup';
import { withNotices } from './scripts/notices.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * `[sub-path, source]` pairs of an export map: `['./types', './src/generated/types.ts']`. Where the source depends on the runtime,
 * it is the one that has the types.
 */
function sources({ exports }: Manifest): [string, string][] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === 'object' ? target['hubline-source'] : undefined;
    const file = typeof source === 'object' && source !== null && 'types' in source ? source.types : source;
    return typeof file === 'string' ? [[subpath, file] as [string, string]] : [];
  });
}

/** tsup options for the package in the current folder. */
export function library(format: Format[], options: Options = {}): Options {
  const manifest = manifestIn('.');
  return {
    entry: Object.fromEntries(
      sources(manifest).map(([subpath, source]) => [subpath === '.' ? 'index' : subpath.slice(2), source]),
    ),
    format,
    target: 'node22',
    dts: { compilerOptions: { paths: inlined(manifest) } },
    sourcemap: true,
    esbuildPlugins: [withNotices],
    clean: true,
    // A progress line per file would hide the line that matters.
    silent: true,
    ...options,
  };
}

/**
 * tsup bundles the JavaScript of devDependencies and keeps dependencies as imports, but declarations keep every import.
 * Mapping the workspace's devDependencies to their sources makes declarations follow the same rule, so that the SDK's
 * types need no `@hubline/contract` (and no zod) beside them.
 */
function inlined({ devDependencies = {} }: Manifest): Record<string, string[]> {
  const workspace = Object.keys(devDependencies).filter((name) => name.startsWith('@hubline/'));
  return Object.fromEntries(
    workspace.flatMap((name) => {
      const folder = join('..', name.slice('@hubline/'.length));
      return sources(manifestIn(folder)).map(([subpath, source]) => [
        join(name, subpath),
        [join(folder, source)],
      ]);
    }),
  );
}
