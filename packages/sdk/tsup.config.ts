import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(library(['esm', 'cjs']));
