import { command as explain } from './explain.ts';
import { command as path } from './path.ts';

export const commands = [explain, path] as const;
