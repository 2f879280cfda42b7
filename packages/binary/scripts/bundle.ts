import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin, transform } from 'esbuild';
import { filesIn } from '../../../scripts/notices.ts';
import { withoutChildProcess } from '../../../scripts/without-child-process.ts';
import { withoutCrashPoints } from '../../../scripts/without-crash-points.ts';
import { UNPLACED } from './archive.ts';
import { leanContract } from './lean-contract.ts';
import { BEGINNINGS, packChunks } from './pack-chunks.ts';

const packages = join(import.meta.dirname, '../..');

/** The name of the program that the file starts. */
export const MAIN = 'bin';

/** Libraries that few starts need, such as the one for certificates, are compressed from this length on: unpacking takes milliseconds. */
const RARE_BYTES = 100_000;

/** Loads native code and WebAssembly from the file itself, and leaves out the unused parts of libraries. */
const embedNativeCode: Plugin = {
  name: 'embed-native-code',
  setup({ onLoad }) {
    onLoad({ filter: /better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({
      contents: `exports.getBinding = require(${JSON.stringify(join(packages, 'binary/src/sqlite-addon.ts'))}).sqliteAddon;`,
    }));
    onLoad({ filter: /cli[\\/]src[\\/]bound-memory\.ts$/ }, () => ({
      contents: `export * from ${JSON.stringify(join(packages, 'binary/src/bound-memory.ts'))};`,
    }));
    // This library's second implementation of its cryptography: half a megabyte that nothing calls.
    onLoad({ filter: /acme-client[\\/]src[\\/]crypto[\\/]forge\.js$/ }, () => ({ contents: '' }));
    // Process metrics, which the server measures itself, and code that collects metrics of several processes or pushes them.
    onLoad({ filter: /prom-client[\\/]lib[\\/](?:cluster|defaultMetrics|pushgateway)\.js$/ }, () => ({
      contents: '',
    }));
    // Messages in fifty languages. Ours are English.
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    onLoad({ filter: /jq-web[\\/]jq\.js$/ }, async ({ path }) => {
      const begin = 'jq = jq().then(';
      const text = await readFile(path, 'utf8');
      if (!text.includes(begin)) throw new Error(`${path} has changed: look how it is given its WebAssembly`);
      const given = text.replace(
        begin,
        "jq = jq({ wasmBinary: require('node:zlib').zstdDecompressSync(require('node:sea').getAsset('jq.wasm.zst')) }).then(",
      );
      // As CommonJS it exports a promise, and the copy that a bundler makes of it is not a promise.
      return { contents: `let module, exports;\n${given}\nexport default jq;` };
    });
  },
};

/**
 * Names are not shortened, because they appear in messages and logs. esbuild could shorten them and keep the original ones
 * (`keepNames`), but that takes a call for each function: 8 ms of a start and 2 MB.
 */
const SHORTER = { minifyWhitespace: true, minifySyntax: true } as const;

/** The esbuild options that turn programs of the workspace, with everything that they import, into chunks. */
export const programs = {
  bundle: true,
  ...SHORTER,
  platform: 'node',
  format: 'esm',
  // Code that is loaded late has its own chunk: code that is not needed takes neither time nor memory.
  splitting: true,
  chunkNames: '[name]-[hash]',
  target: 'node24',
  conditions: ['hubline-binary', 'hubline-source', 'node'],
  // Native code, different on each system. Without the keyring, keys are kept in a file, as on a server without a keychain.
  external: ['@napi-rs/keyring', 'pg-native'],
  plugins: [embedNativeCode, leanContract, withoutChildProcess, withoutCrashPoints],
  logLevel: 'error',
} satisfies BuildOptions;

/**
 * Bundles programs of the workspace into a folder: one small script for each, by its name, and the packs of chunks that they share.
 * Returns the files that they are made of.
 */
export async function bundle(
  entryPoints: Readonly<Record<string, string>>,
  folder: string,
): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    ...programs,
    entryPoints: Object.entries(entryPoints).map(([out, source]) => ({ out, in: join(packages, source) })),
    absWorkingDir: packages,
    outdir: folder,
    write: false,
    metafile: true,
  });
  const texts = await Promise.all(
    outputFiles.map(async ({ path, text }) => [basename(path), await commonJs(text)] as const),
  );
  const { packs, placeOf } = packChunks(metafile, new Map(texts));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of packs) {
    const isRare = !(name in BEGINNINGS) && text.length > RARE_BYTES;
    if (isRare) writeFileSync(join(folder, `${name}.js.gz`), gzipSync(text, { level: 9 }));
    else writeFileSync(join(folder, `${name}.js`), text);
  }
  for (const name of Object.keys(entryPoints))
    await bundleMain(join(folder, `${name}.cjs`), {
      ENTRY: placeOf(`${name}.js`),
      // The other programs are threads, which use the archive that the main thread has opened.
      ARCHIVE_AT: name === MAIN ? UNPLACED : 'another opens it',
    });
  return filesIn(metafile).map((file) => join(packages, file));
}

/**
 * Converts a chunk to CommonJS in ASCII: one character beyond Latin-1 would make V8 store the whole text with two bytes per character.
 * The characters that esbuild does not escape are in regular expressions, where an escape means the same.
 */
async function commonJs(text: string): Promise<string> {
  const { code } = await transform(text.replace(/^#!.*\n/, ''), {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    ...SHORTER,
    supported: { 'dynamic-import': false },
  });
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/[^\0-\x7f]/g, escape);
}

/** Bundles the script that loads chunks, starting with one of them. */
async function bundleMain(outfile: string, given: Readonly<Record<string, string>>): Promise<void> {
  await build({
    ...programs,
    splitting: false,
    format: 'cjs',
    entryPoints: [join(packages, 'binary/src/main.ts')],
    define: Object.fromEntries(Object.entries(given).map(([name, text]) => [name, JSON.stringify(text)])),
    outfile,
  });
}
