import { command as accept } from './accept.ts';

export const commands = [accept] as const;
