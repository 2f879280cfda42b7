import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library(['esm', 'cjs'], {
    // Not Node's: the same files run in browsers and Workers.
    target: 'es2022',
    platform: 'neutral',
    // One copy of the core for all entries of a format, so that instanceof holds between them.
    splitting: true,
  }),
);
