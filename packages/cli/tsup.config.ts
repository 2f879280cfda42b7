import { defineConfig } from 'tsup';
import { withNotices } from '../../scripts/notices.ts';
import { withoutChildProcess } from '../../scripts/without-child-process.ts';
import { packChunks } from './scripts/pack-chunks.ts';

export default defineConfig(({ outDir = 'dist' }) => ({
  entry: ['src/bin.ts'],
  // CommonJS: an ESM import of node:http builds its whole namespace and loads undici, which a command never needs.
  format: ['cjs'],
  // One chunk for each noun and for whatever is loaded late.
  splitting: true,
  target: 'node22',
  // Bundles everything, so that a start reads few files. Packages with native modules or WebAssembly stay outside.
  noExternal: [/^(?!@hubline\/server|@napi-rs\/keyring|jq-web)/],
  external: ['@hubline/server', '@napi-rs/keyring', 'jq-web'],
  esbuildOptions(options) {
    options.conditions = ['hubline-source', 'node'];
  },
  esbuildPlugins: [withoutChildProcess, withNotices],
  // tsup would take away the prefix before the plugin sees it.
  removeNodeProtocol: false,
  clean: true,
  silent: true,
  onSuccess: () => packChunks(outDir),
}));
