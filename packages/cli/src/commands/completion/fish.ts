import { completionCommand } from './completion-command.ts';

export const command = completionCommand('fish', 'hubline completion fish | source');
