import { chooseShell, installCompletion, uninstallCompletion } from '../../complete/install.ts';
import { scripts, type Shell, SHELLS } from '../../complete/scripts.ts';
import { RawText } from '../../output/items.ts';
import { type Command, define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import type { Style } from '../../terminal/io.ts';

/** The completion file of a shell. */
interface CompletionFile {
  readonly shell: string;
  readonly file: string;
  readonly installed: boolean;
  /** A step that the user has to do once; `null` for none. */
  readonly next: string | null;
}

const completionFileView = view<CompletionFile>()({
  noun: ['file', 'files'],
  fields: ['shell', 'file', 'installed', 'next'],
  columns: ['shell', 'installed', 'file'],
  id: 'file',
});

/** One line for people, and the step that is left. */
function completionLine({ shell, file, installed, next }: CompletionFile, style: Style): string {
  if (next !== null)
    return `${style.yellow('!')} Wrote the completion for ${shell}: ${file}\n  One step is left. ${next}`;
  return `${style.green('✓')} ${installed ? 'Installed' : 'Removed'} the completion for ${shell}: ${file}`;
}

interface Script {
  readonly shell: Shell;
  readonly script: string;
}

const scriptView = view<Script>()({
  noun: ['script', 'scripts'],
  fields: ['shell', 'script'],
  columns: ['shell'],
  id: 'shell',
});

/** `hubline completion <shell>`. `load`: the line that loads it into a shell at once. */
function completionCommand(shell: Shell, load: string): Command {
  return define({
    path: `completion ${shell}`,
    summary: `Print the completion script for ${shell}.`,
    description: `To load it now: ${load}. To keep it: hubline completion install`,
    examples: [`hubline completion ${shell}`],
    view: scriptView,
    async *run(ctx): AsyncGenerator<Script | RawText> {
      yield ctx.machine ? { shell, script: scripts[shell] } : new RawText(scripts[shell]);
    },
  });
}

const bash = completionCommand('bash', 'source <(hubline completion bash)');

const zsh = completionCommand('zsh', 'source <(hubline completion zsh)');

const fish = completionCommand('fish', 'hubline completion fish | source');

const powershell = completionCommand(
  'powershell',
  'hubline completion powershell | Out-String | Invoke-Expression',
);

const install = define({
  path: 'completion install',
  summary: 'Install completion where the shell finds it.',
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

const uninstall = define({
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

export const commands = [install, uninstall, bash, zsh, fish, powershell] as const;
