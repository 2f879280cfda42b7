import { command as whoami } from './whoami.ts';

export const commands = [whoami] as const;
