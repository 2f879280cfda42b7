import { command as create } from './create.ts';
import { command as list } from './list.ts';
import { command as restore } from './restore.ts';
import { command as verify } from './verify.ts';

export const commands = [create, restore, verify, list] as const;
