import { command as create } from './create.ts';
import { command as remove } from './delete.ts';
import { command as list } from './list.ts';
import { command as rename } from './rename.ts';
import { command as show } from './show.ts';
import { command as use } from './use.ts';

export const commands = [list, use, create, rename, show, remove] as const;
