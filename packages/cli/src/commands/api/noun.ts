import { command as api } from './api.ts';

export const commands = [api] as const;
