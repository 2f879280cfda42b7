import { command as get } from './get.ts';
import { command as list } from './list.ts';

export const commands = [list, get] as const;
