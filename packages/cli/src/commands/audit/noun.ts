import { command as exportLog } from './export.ts';
import { command as list } from './list.ts';

export const commands = [list, exportLog] as const;
