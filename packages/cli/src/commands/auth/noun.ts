import { command as list } from './list.ts';
import { command as login } from './login.ts';
import { command as logout } from './logout.ts';
import { command as status } from './status.ts';
import { command as switchLogin } from './switch.ts';
import { command as token } from './token.ts';

export const commands = [login, status, logout, switchLogin, list, token] as const;
