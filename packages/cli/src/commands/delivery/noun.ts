import { command as attempts } from './attempts.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as resendAll } from './resend-all.ts';
import { command as resend } from './resend.ts';
import { command as tail } from './tail.ts';

export const commands = [list, get, attempts, resend, resendAll, tail] as const;
