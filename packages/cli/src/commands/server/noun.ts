import { command as backup } from './backup.ts';
import { command as bootstrap } from './bootstrap.ts';
import { command as restore } from './restore.ts';
import { command as setupLink } from './setup-link.ts';
import { command as start } from './start.ts';
import { command as status } from './status.ts';

export const commands = [start, status, bootstrap, setupLink, backup, restore] as const;
