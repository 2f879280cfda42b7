import { command as edit } from './edit.ts';
import { command as explain } from './explain.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as path } from './path.ts';
import { command as set } from './set.ts';
import { command as unset } from './unset.ts';

export const commands = [list, get, set, unset, edit, explain, path] as const;
