import { command as create } from './create.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as revoke } from './revoke.ts';
import { command as rotate } from './rotate.ts';
import { command as update } from './update.ts';

export const commands = [list, create, get, update, revoke, rotate] as const;
