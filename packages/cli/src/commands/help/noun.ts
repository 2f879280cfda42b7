import { command as environment } from './environment.ts';
import { command as exitCodes } from './exit-codes.ts';

export const commands = [exitCodes, environment] as const;
