import { command as wait } from './wait.ts';

export const commands = [wait] as const;
