import { scripts, type Shell } from '../../complete/scripts.ts';
import { RawText } from '../../output/raw-text.ts';
import { type Command, define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

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

/** `hubline completion <shell>`. `load` is how the shell loads it at once. */
export function completionCommand(shell: Shell, load: string): Command {
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
