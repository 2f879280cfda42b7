import { command as listen } from './listen.ts';

export const commands = [listen] as const;
