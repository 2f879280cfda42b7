import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { withoutCrashPoints } from '../../../scripts/without-crash-points.ts';

const packages = join(import.meta.dirname, '../..');

/** Native code and WebAssembly come out of the file itself. */
const fromAssets: Plugin = {
  name: 'from-assets',
  setup({ onLoad }) {
    onLoad({ filter: /better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({
      contents: `exports.getBinding = require(${JSON.stringify(join(packages, 'binary/src/sqlite-addon.ts'))}).sqliteAddon;`,
    }));
    // The second set of cryptography of this library, which nobody calls: half a megabyte.
    onLoad({ filter: /acme-client[\\/]src[\\/]crypto[\\/]forge\.js$/ }, () => ({ contents: '' }));
    onLoad({ filter: /jq-web[\\/]jq\.js$/ }, async ({ path }) => {
      const begin = 'jq = jq().then(';
      const text = await readFile(path, 'utf8');
      if (!text.includes(begin)) throw new Error(`${path} has changed: look how it is given its WebAssembly`);
      const given = text.replace(
        begin,
        "jq = jq({ wasmBinary: require('node:zlib').gunzipSync(require('node:sea').getAsset('jq.wasm.gz')) }).then(",
      );
      // As CommonJS it exports a promise, which a bundler copies into something that is none.
      return { contents: `${given}\nexport default jq;` };
    });
  },
};

/** The way in which programs of the workspace become one script each, with everything that they import. */
export const programs = {
  bundle: true,
  minify: true,
  // Names are in messages and in logs.
  keepNames: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  conditions: ['hubline-binary', 'hubline-source', 'node'],
  // Native and different on each system: without it keys are kept in a file, as on a server without a keychain.
  external: ['@napi-rs/keyring', 'pg-native'],
  plugins: [fromAssets, withoutCrashPoints],
  logLevel: 'error',
} satisfies BuildOptions;

/**
 * Bundles a program of the workspace, in ASCII: one letter beyond Latin would make V8 keep the whole text in two bytes a letter, 8 MB
 * instead of 4. What esbuild does not escape by itself stands in regular expressions, where an escape means the same.
 */
export async function bundle(source: string, outfile: string): Promise<void> {
  await build({ ...programs, entryPoints: [join(packages, source)], outfile });
  const text = await readFile(outfile, 'utf8');
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(outfile, text.replaceAll(/[^\0-\x7f]/g, escape));
}
