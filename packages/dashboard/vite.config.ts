import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from '../contract/src/limits.ts';

/** The server behind `vite dev`: its sessions and its API come from there. */
const server = process.env['HUBLINE_SERVER'] ?? 'http://127.0.0.1:8787';

/**
 * The files of the build; a module belongs to the first group that names it or something that imports it. The shell holds
 * what most pages show, with the few words about webhooks and integrations that are on other pages as well.
 */
const GROUPS = [
  {
    name: 'shell',
    test: /src.(?:api|components.(?!chart|page.door|schema)|data|session.(?!no-workspace)|shell.(?!palette)|app|main)|preact|packages.(?:sdk|contract)|pages.*(?:use-(?:webhooks|integrations|members)|webhook-(?:name|state)|delivery-statuses|refresh-deliveries|failure-words)/,
  },
  { name: 'events', test: /pages.events.|histogram/ },
  { name: 'deliveries', test: /pages.(?:deliveries|overview|webhooks?)./ },
  {
    name: 'hub',
    test: /components.schema|pages.(?:hub|integrations.|automations.|notification-rules.|templates.|notifications.)/,
  },
  { name: 'docs', test: /pages.docs./ },
  { name: 'management', test: /pages.(?:account|api-keys|audit-log|login|members|not-found|settings)|door/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

/** Writes the numbers of the specification in the places that name them: bundlers keep a whole object for a dozen of its values. */
const limits: Plugin = {
  name: 'limits',
  enforce: 'pre',
  apply: 'build',
  transform: (code) =>
    code.replace(/\bLIMITS\.(\w+)/g, (_, name: keyof typeof LIMITS) => JSON.stringify(LIMITS[name])),
};

export default defineConfig({
  plugins: [limits],
  // The SDK's sources, so that nothing has to be built before.
  resolve: { conditions: ['hubline-source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The first browsers with light-dark(): for older ones Vite would rewrite it such that the theme cannot be chosen by hand.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A `data:` URL needs an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // A page needs the shell, which is there, and one or two more files: there is nothing to load ahead.
    modulePreload: false,
    rolldownOptions: {
      // The SDK's default transport loads it at the first request; the dashboard has given another.
      external: ['ky'],
      output: {
        // A few files by what people do, not one a page: forty small ones compress worse, by 15 KB in all, and each is a request.
        codeSplitting: { groups: GROUPS },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/session', '/setup', '/invite'].map((path) => [path, server])),
  },
});
