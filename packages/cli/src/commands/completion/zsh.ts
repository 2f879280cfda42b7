import { completionCommand } from './completion-command.ts';

export const command = completionCommand('zsh', 'source <(hubline completion zsh)');
