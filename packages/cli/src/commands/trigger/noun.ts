import { command as list } from './list.ts';
import { command as trigger } from './trigger.ts';

export const commands = [trigger, list] as const;
