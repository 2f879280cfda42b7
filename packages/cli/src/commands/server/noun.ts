import { command as bootstrap } from './bootstrap.ts';
import { command as start } from './start.ts';

export const commands = [start, bootstrap] as const;
