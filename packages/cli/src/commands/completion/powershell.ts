import { completionCommand } from './completion-command.ts';

export const command = completionCommand(
  'powershell',
  'hubline completion powershell | Out-String | Invoke-Expression',
);
