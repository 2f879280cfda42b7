import { completionCommand } from './completion-command.ts';

export const command = completionCommand('bash', 'source <(hubline completion bash)');
