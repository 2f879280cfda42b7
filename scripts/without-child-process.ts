import type { Plugin } from 'esbuild';

/**
 * commander can run subcommands that are separate programs. `hubline` has none, and loading the module for them costs a tenth of a
 * bare start of Node.
 */
export const withoutChildProcess: Plugin = {
  name: 'without-child-process',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'empty' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};
