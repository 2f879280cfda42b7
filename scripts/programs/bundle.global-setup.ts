/** Bundles the programs that tests start, once for a run, in the form of the single-file program: a start takes a fifth less CPU. */
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { leanContract } from '../../packages/binary/scripts/lean-contract.ts';
import { root } from '../workspace.ts';
import { BUNDLES, PROGRAMS, THREADS } from './programs.ts';

const FOLDER = join(root, 'packages/server/node_modules/.cache/test-programs');

// Packages with native code, WebAssembly or files of their own, which are loaded from where they are installed.
const OUTSIDE: Readonly<Record<string, string>> = {
  'better-sqlite3': 'packages/server/package.json',
  '@napi-rs/keyring': 'packages/cli/package.json',
  'jq-web': 'packages/cli/package.json',
};

const outside: Plugin = {
  name: 'outside',
  setup({ onResolve }) {
    for (const [name, from] of Object.entries(OUTSIDE))
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: createRequire(join(root, from)).resolve(name),
        external: true,
      }));
  },
};

/** An `import` of these modules builds their whole namespace, which loads undici; a property of the module does not. */
const withoutUndici: Plugin = {
  name: 'without-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:https?$/ }, ({ path }) => ({ path, namespace: 'lazy' }));
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

async function bundle(kind: keyof typeof PROGRAMS, conditions: string[]): Promise<void> {
  await build({
    entryPoints: [...PROGRAMS[kind], ...THREADS].map((source) => ({
      in: join(root, source),
      out: basename(source, '.ts'),
    })),
    outdir: join(FOLDER, kind),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['hubline-source', ...conditions, 'node'],
    plugins: [outside, leanContract, withoutUndici],
    // Names stay, because they appear in messages and logs.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // CommonJS packages load modules of Node by `require`.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
    logLevel: 'error',
  });
}

export async function setup(): Promise<void> {
  // Each project loads this file for itself; the first that needs the programs bundles them for all.
  if (process.env[BUNDLES] !== undefined) return;
  // The server reads its version from the manifest above its folder.
  cpSync(join(root, 'packages/server/package.json'), join(FOLDER, 'package.json'));
  await Promise.all([bundle('plain', []), bundle('chaos', ['hubline-chaos'])]);
  process.env[BUNDLES] = FOLDER;
}
