import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const options = library(['esm', 'cjs'], { define: { HUBLINE_SDK_VERSION: JSON.stringify(version) } });

// Constructors that only the client calls, and the clock that tests set, are not for users.
if (typeof options.dts === 'object')
  options.dts.compilerOptions = { ...options.dts.compilerOptions, stripInternal: true };

export default defineConfig(options);
