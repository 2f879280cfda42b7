import { defineConfig } from 'vite';

/** The server behind `vite dev`: its sessions and its API come from there. */
const server = process.env['HUBLINE_SERVER'] ?? 'http://127.0.0.1:8787';

export default defineConfig({
  // The SDK's sources, so that nothing has to be built before.
  resolve: { conditions: ['hubline-source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The first browsers with light-dark(): for older ones Vite would rewrite it such that the theme cannot be chosen by hand.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A `data:` URL needs an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Every browser with light-dark() knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The SDK's default transport loads it at the first request; the dashboard has given another.
      external: ['ky'],
      output: {
        // One file for what several pages need: fifty small ones compress worse, by 10 KB in all, and each is a request.
        codeSplitting: {
          groups: [{ name: 'shared', test: /src.(?:api|components|data|shell).|preact/, minShareCount: 3 }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/session', '/setup', '/invite'].map((path) => [path, server])),
  },
});
