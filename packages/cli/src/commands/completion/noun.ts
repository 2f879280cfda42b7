import { command as bash } from './bash.ts';
import { command as fish } from './fish.ts';
import { command as install } from './install.ts';
import { command as powershell } from './powershell.ts';
import { command as uninstall } from './uninstall.ts';
import { command as zsh } from './zsh.ts';

export const commands = [install, uninstall, bash, zsh, fish, powershell] as const;
