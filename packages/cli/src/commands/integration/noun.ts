import { command as connect } from './connect.ts';
import { command as create } from './create.ts';
import { command as disconnect } from './disconnect.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as reconnect } from './reconnect.ts';
import { command as test } from './test.ts';
import { command as update } from './update.ts';

export const commands = [list, get, connect, create, update, test, reconnect, disconnect] as const;
