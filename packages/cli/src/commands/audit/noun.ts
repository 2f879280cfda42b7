import { command as exportLog } from './export.ts';
import { command as list } from './list.ts';
import { command as tail } from './tail.ts';

export const commands = [list, exportLog, tail] as const;
