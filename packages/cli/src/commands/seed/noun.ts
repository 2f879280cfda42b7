import { command as seed } from './seed.ts';

export const commands = [seed] as const;
