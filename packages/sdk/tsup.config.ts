import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export default defineConfig(
  library(['esm', 'cjs'], { define: { HUBLINE_SDK_VERSION: JSON.stringify(version) } }),
);
