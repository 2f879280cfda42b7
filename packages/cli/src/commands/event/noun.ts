import { command as exportEvents } from './export.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as publish } from './publish.ts';
import { command as tail } from './tail.ts';
import { command as types } from './types.ts';

export const commands = [list, get, publish, tail, exportEvents, types] as const;
