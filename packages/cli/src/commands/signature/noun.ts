import { command as sign } from './sign.ts';
import { command as verify } from './verify.ts';

export const commands = [sign, verify] as const;
