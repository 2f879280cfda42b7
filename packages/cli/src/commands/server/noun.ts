import { command as bootstrap } from './bootstrap.ts';
import { command as setupLink } from './setup-link.ts';
import { command as start } from './start.ts';

export const commands = [start, bootstrap, setupLink] as const;
