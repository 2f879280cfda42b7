import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from '../contract/src/constants/limits.ts';
import { symbols } from './src/components/icons/sprite.ts';

/** The server behind `vite dev`: its sessions and its API come from there. */
const server = process.env['HUBLINE_SERVER'] ?? 'http://127.0.0.1:8787';

/** Writes the numbers of the specification in the places that name them: bundlers keep a whole object for a dozen of its values. */
const limits: Plugin = {
  name: 'limits',
  enforce: 'pre',
  apply: 'build',
  transform: (code) =>
    code.replace(/\bLIMITS\.(\w+)/g, (_, name: keyof typeof LIMITS) => JSON.stringify(LIMITS[name])),
};

/** Writes the font of the pages that the server itself shows, before the login: they know no name with a hash in it. */
const door: Plugin = {
  name: 'door',
  generateBundle(_, bundle) {
    const inter = Object.keys(bundle).find((file) => file.includes('inter-latin'));
    if (inter === undefined) this.error('The build has no Inter.');
    const source = `@font-face{font-family:Inter;src:url(/${inter}) format("woff2");font-weight:100 900;font-display:swap}`;
    this.emitFile({ type: 'asset', fileName: 'door.css', source });
  },
};

/** Puts the drawings into the page, where they are before the first of them is shown. */
const drawings: Plugin = {
  name: 'drawings',
  transformIndexHtml: () => [
    { tag: 'svg', attrs: { class: 'sprite', 'aria-hidden': 'true' }, children: symbols, injectTo: 'body' },
  ],
};

/** Makes elements by `h(tag, props, ...children)`: lists of children in the properties cost 1.4 KB in all pages together. */
const elements: Plugin = {
  name: 'elements',
  apply: 'build',
  config: () => ({
    oxc: { jsx: { runtime: 'classic', pragma: '_h', pragmaFrag: '_Fragment' } },
    build: {
      rolldownOptions: {
        transform: { inject: { _h: ['preact', 'h'], _Fragment: ['preact', 'Fragment'] } },
      },
    },
  }),
};

/** Loads a part of the program by `import()` alone: Vite's helper waits for styles of that part, and all are in one file. */
const parts: Plugin = {
  name: 'parts',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

export default defineConfig({
  plugins: [limits, door, drawings, elements, parts],
  // The SDK's sources, so that nothing has to be built before.
  resolve: { conditions: ['hubline-source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The first browsers with light-dark(): for older ones Vite would rewrite it such that the theme cannot be chosen by hand.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A `data:` URL needs an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // A page needs the shell, which is there, and one more file: there is nothing to load ahead.
    modulePreload: false,
    rolldownOptions: {
      // The SDK's default transport loads it at the first request; the dashboard has given another.
      external: ['ky'],
    },
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/session', '/setup', '/invite'].map((path) => [path, server])),
  },
});
