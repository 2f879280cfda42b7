import { chooseShell, installCompletion } from '../../complete/install.ts';
import { SHELLS } from '../../complete/scripts.ts';
import { define } from '../../spec/command.ts';
import { completionFileView, completionLine } from '../../views/completion-file.ts';

export const command = define({
  path: 'completion install',
  summary: 'Install completion where the shell finds it by itself.',
  args: { shell: { summary: `${SHELLS.join(', ')}; default: yours`, choices: SHELLS, optional: true } },
  examples: ['hubline completion install', 'hubline completion install zsh'],
  view: completionFileView,
  say: completionLine,
  next: ({ next }) => (next === null ? 'Open a new shell, and try: hubline <TAB>' : undefined),
  async run(ctx, { args }) {
    const shell = chooseShell(args.shell, ctx.env);
    return { shell, ...(await installCompletion(ctx, shell)), installed: true };
  },
});
