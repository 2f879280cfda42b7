import { command as version } from './version.ts';

export const commands = [version] as const;
