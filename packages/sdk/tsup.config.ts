import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const options = library(['esm', 'cjs'], {
  define: { HUBLINE_SDK_VERSION: JSON.stringify(version) },
  // Which of the files of `src/runtime` it is, each runtime and bundler decides by package.json.
  external: ['#runtime'],
});
const runtimes = { 'runtime/node': 'src/runtime/node.ts', 'runtime/other': 'src/runtime/other.ts' };

// Constructors that only the client calls, and the clock that tests set, are not for users; nor are the runtimes.
const dts = typeof options.dts === 'object' ? options.dts : {};
export default defineConfig({
  ...options,
  entry: { ...(options.entry as Record<string, string>), ...runtimes },
  dts: {
    ...dts,
    entry: options.entry as Record<string, string>,
    compilerOptions: { ...dts.compilerOptions, stripInternal: true },
  },
});
