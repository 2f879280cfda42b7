import { readFileSync, rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { library } from '../../tsup.base.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const options = library(['esm', 'cjs'], {
  define: { HUBLINE_SDK_VERSION: JSON.stringify(version) },
  // Which of the files of `src/runtime` it is, each runtime and bundler decides by package.json.
  external: ['#runtime'],
});
const entry = {
  ...(options.entry as Record<string, string>),
  'runtime/node': 'src/runtime/node.ts',
  'runtime/other': 'src/runtime/other.ts',
};

// Constructors that only the client calls, and the clock that tests set, are not for users; nor are the runtimes.
const dts = typeof options.dts === 'object' ? options.dts : {};
const declarations: Options = {
  ...options,
  clean: false,
  dts: {
    ...dts,
    only: true,
    entry: options.entry as Record<string, string>,
    compilerOptions: { ...dts.compilerOptions, stripInternal: true },
  },
};

// Once, before the three builds, which run side by side.
rmSync('dist', { recursive: true, force: true });
export default defineConfig([
  declarations,
  { ...options, entry, dts: false, format: ['esm'], clean: false },
  // ky and p-retry are ES modules only, which Jest cannot load from CommonJS: so they are inside.
  { ...options, entry, dts: false, format: ['cjs'], clean: false, noExternal: ['ky', 'p-retry'] },
]);
