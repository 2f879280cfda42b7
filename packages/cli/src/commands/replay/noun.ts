import { command as replay } from './replay.ts';

export const commands = [replay] as const;
