import { join } from 'node:path';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from '../contract/src/constants/limits.ts';
import { NOTICES, noticesOf } from '../../scripts/notices.ts';
import { symbols } from './src/components/icons/sprite.ts';

/** The server behind `vite dev`, which provides the sessions and the API. */
const server = process.env['HUBLINE_SERVER'] ?? 'http://127.0.0.1:8787';

/** Inlines the numbers of `LIMITS` where they are used: bundlers keep the whole object for a dozen of its values. */
const limits: Plugin = {
  name: 'limits',
  enforce: 'pre',
  apply: 'build',
  transform: (code) =>
    code.replace(/\bLIMITS\.(\w+)/g, (_, name: keyof typeof LIMITS) => JSON.stringify(LIMITS[name])),
};

/** Writes a stylesheet with the font for the pages that the server itself shows: they do not know file names with hashes. */
const door: Plugin = {
  name: 'door',
  generateBundle(_, bundle) {
    const inter = Object.keys(bundle).find((file) => file.includes('inter-latin'));
    if (inter === undefined) this.error('The build has no Inter.');
    const source = `@font-face{font-family:Inter;src:url(/${inter}) format("woff2");font-weight:100 900;font-display:swap}`;
    this.emitFile({ type: 'asset', fileName: 'door.css', source });
  },
};

/** Minifies once more what Vite has minified: half a percent, for three seconds. */
const terser: Plugin = {
  name: 'terser',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const { code } = await minify(file.code, { module: true, ecma: 2022, compress: { passes: 2 } });
      file.code = code ?? file.code;
    }
  },
};

/** Writes the licenses of the libraries, fonts and logos, whose copies need them. */
const notices: Plugin = {
  name: 'notices',
  generateBundle(_, bundle) {
    const files = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk'
        ? file.moduleIds
        : file.originalFileNames.map((name) => join(import.meta.dirname, name)),
    );
    this.emitFile({ type: 'asset', fileName: NOTICES, source: noticesOf(files) });
  },
};

/** Puts the drawings into index.html, so that they are there before the first one is shown. */
const drawings: Plugin = {
  name: 'drawings',
  transformIndexHtml: () => [
    { tag: 'svg', attrs: { class: 'sprite', 'aria-hidden': 'true' }, children: symbols, injectTo: 'body' },
  ],
};

/** Makes elements with `h(tag, props, ...children)`: children among the properties would cost 1.4 KB over all pages. */
const elements: Plugin = {
  name: 'elements',
  apply: 'build',
  config: () => ({
    // The sources have no version; so the bundle need not ask for one.
    define: { HUBLINE_SDK_VERSION: '"source"' },
    oxc: { jsx: { runtime: 'classic', pragma: '_h', pragmaFrag: '_Fragment' } },
    build: {
      rolldownOptions: {
        transform: { inject: { _h: ['preact', 'h'], _Fragment: ['preact', 'Fragment'] } },
      },
    },
  }),
};

/** Loads chunks with plain `import()`: Vite's helper waits for the styles of a chunk, but all styles are in one file. */
const parts: Plugin = {
  name: 'parts',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

export default defineConfig({
  plugins: [limits, door, notices, drawings, elements, parts, terser],
  // Takes the SDK's sources, so that nothing has to be built first.
  resolve: { conditions: ['hubline-source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // As docs/guides/dashboard.md says: the first browsers with URL.parse(), which the SDK calls at once. They also have light-dark(): for
    // older ones, Vite would rewrite it so that the theme cannot be chosen by hand.
    target: ['chrome126', 'firefox126', 'safari18'],
    // A `data:` URL needs an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // A page needs the shell, which is already loaded, and one more file, so there is nothing to preload.
    modulePreload: false,
    rolldownOptions: {
      // Constants take fewer bytes where they are used than as names that two files share.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      optimization: { inlineConst: { mode: 'all' } },
      // Terser takes as long as everything else together.
      checks: { pluginTimings: false },
      // The SDK's default transport loads ky at the first request; the dashboard uses another transport.
      external: ['ky'],
    },
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/session', '/setup', '/invite'].map((path) => [path, server])),
  },
});
