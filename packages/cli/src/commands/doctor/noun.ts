import { command as doctor } from './doctor.ts';

export const commands = [doctor] as const;
