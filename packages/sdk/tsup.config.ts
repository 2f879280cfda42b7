import { readFileSync, rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { library } from '../../tsup.base.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const options = library(['esm', 'cjs'], {
  define: { HUBLINE_SDK_VERSION: JSON.stringify(version) },
  clean: false,
});

// Leaves out members marked `@internal`: only the client itself calls them.
const dts = typeof options.dts === 'object' ? options.dts : {};
const declarations: Options = {
  ...options,
  dts: { ...dts, only: true, compilerOptions: { ...dts.compilerOptions, stripInternal: true } },
};

// index.node.ts needs no declarations: package.json names those of index.ts for Node, too.
const entry = { ...(options.entry as Record<string, string>), 'index.node': 'src/index.node.ts' };
const code = { ...options, entry, dts: false };

// Once, before the three builds, which run side by side.
rmSync('dist', { recursive: true, force: true });
export default defineConfig([
  declarations,
  { ...code, format: ['esm'] },
  // ky and p-retry are ES modules only, which Jest cannot load from CommonJS, so they are bundled.
  { ...code, format: ['cjs'], noExternal: ['ky', 'p-retry'] },
]);
