import { command as open } from './open.ts';

export const commands = [open] as const;
