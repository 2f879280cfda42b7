import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/bin.ts'],
  // CommonJS: an ESM import of node:http builds its whole face and loads undici, which a command never needs.
  format: ['cjs'],
  // One chunk for each noun and for whatever is loaded late.
  splitting: true,
  target: 'node22',
  // Everything in one place, so that starting reads few files; the server brings a native module and stays outside.
  noExternal: [/^(?!@hubline\/server)/],
  external: ['@hubline/server'],
  esbuildOptions(options) {
    options.conditions = ['hubline-source', 'node'];
  },
  clean: true,
  silent: true,
});
