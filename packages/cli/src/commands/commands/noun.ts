import { command as commandList } from './commands.ts';

export const commands = [commandList] as const;
