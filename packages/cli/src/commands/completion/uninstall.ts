import { chooseShell, uninstallCompletion } from '../../complete/install.ts';
import { SHELLS } from '../../complete/scripts.ts';
import { define } from '../../spec/command.ts';
import { completionFileView, completionLine } from '../../views/completion-file.ts';

export const command = define({
  path: 'completion uninstall',
  summary: 'Remove the installed completion.',
  args: { shell: { summary: `${SHELLS.join(', ')}; default: yours`, choices: SHELLS, optional: true } },
  examples: ['hubline completion uninstall', 'hubline completion uninstall zsh'],
  view: completionFileView,
  say: completionLine,
  async run(ctx, { args }) {
    const shell = chooseShell(args.shell, ctx.env);
    return { shell, ...(await uninstallCompletion(ctx, shell)), installed: false };
  },
});
