import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from '../contract/src/limits.ts';

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

export default defineConfig({
  plugins: [limits, door],
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
