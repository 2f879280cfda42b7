import { command as get } from './get.ts';

export const commands = [get] as const;
