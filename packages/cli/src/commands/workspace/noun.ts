import { command as create } from './create.ts';
import { command as remove } from './delete.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as stats } from './stats.ts';
import { command as transfer } from './transfer.ts';
import { command as update } from './update.ts';
import { command as use } from './use.ts';

export const commands = [list, create, get, stats, update, transfer, remove, use] as const;
